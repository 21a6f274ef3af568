// SPDX-License-Identifier: Apache-2.0
// What a reader in JavaScript is measured for; the same figures as those of read_adbc/meter.h.
'use strict';

const fs = require('fs');

const MASK = (1n << 64n) - 1n;

function peakKib() {
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)[1]);
}

class Meter {
  constructor(config) {
    this.checkColumns = config.check_columns || [];
    this.rows = 0;
    this.batches = 0;
    this.columns = 0;
    this.sums = this.checkColumns.map(() => 0n);
    this.orderedSums = this.checkColumns.map(() => 0n);
    this.checking = 0;
  }

  start() {
    this.usage = process.resourceUsage();
    this.started = process.hrtime.bigint();
  }

  elapsed() {
    return Number(process.hrtime.bigint() - this.started) / 1e9;
  }

  noteFirst() {
    if (this.firstBatch === undefined) this.firstBatch = this.elapsed();
  }

  /// A batch whose columns are arrays of numbers without NULL; `decode` makes it and is not part of the time.
  addBatch(decode) {
    this.noteFirst();
    const began = process.hrtime.bigint();
    const batch = decode();
    this.checkColumns.forEach((column, index) => {
      const values = batch.getChildAt(column).toArray();
      let sum = 0;
      let weighted = 0n;
      for (let row = 0; row < values.length; row += 1) {
        sum += Number(values[row]);
        weighted += BigInt(values[row]) * BigInt(row + 1);
      }
      this.sums[index] = (this.sums[index] + BigInt(sum)) & MASK;
      this.orderedSums[index] = (this.orderedSums[index] + weighted + BigInt(sum) * BigInt(this.rows)) & MASK;
    });
    this.rows += batch.numRows;
    this.columns = batch.numCols;
    this.batches += 1;
    this.checking += Number(process.hrtime.bigint() - began) / 1e9;
  }

  addRow(values) {
    this.noteFirst();
    this.rows += 1;
    this.columns = values.length;
    this.checkColumns.forEach((column, index) => {
      const value = BigInt(values[column] || 0);
      this.sums[index] = (this.sums[index] + value) & MASK;
      this.orderedSums[index] = (this.orderedSums[index] + value * BigInt(this.rows)) & MASK;
    });
  }

  stop() {
    const seconds = this.elapsed();
    const usage = process.resourceUsage();
    const text = (values) => `[${values.join(',')}]`; // sums are larger than a number of JSON may be here
    const report = {
      rows: this.rows,
      batches: this.batches,
      columns: this.columns,
      seconds: seconds - this.checking,
      check_seconds: this.checking,
      first_batch: this.firstBatch || 0,
      delay_seconds: 0,
      cpu_user: (usage.userCPUTime - this.usage.userCPUTime) / 1e6 - this.checking,
      cpu_system: (usage.systemCPUTime - this.usage.systemCPUTime) / 1e6,
      minor_faults: usage.minorPageFault - this.usage.minorPageFault,
      peak_kib: peakKib(),
    };
    const head = JSON.stringify(report).slice(0, -1);
    process.stdout.write(`${head},"sums":${text(this.sums)},"ordered_sums":${text(this.orderedSums)}}\n`);
  }
}

module.exports = { Meter };
