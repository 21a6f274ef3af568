// SPDX-License-Identifier: Apache-2.0
// Reads one result through the raw binding of Databricks' kernel for Node, which hands out Arrow IPC bytes.
'use strict';

const path = require('path');
const { Meter } = require('./meter.js');

async function main() {
  const config = JSON.parse(process.argv[2]);
  const modules = path.join(config.modules, 'node_modules');
  const kernel = require(path.join(modules, '@databricks/sql/native/kernel/index.js'));
  const arrow = require(path.join(modules, 'apache-arrow'));
  const connection = await kernel.openSession({
    hostName: `${config.scheme}://${config.host}:${config.port}`,
    httpPath: config.path,
    token: config.token,
    ...config.options,
  });
  const meter = new Meter(config);
  meter.start();
  const statement = await connection.executeStatement(config.sql);
  for (;;) {
    const batch = await statement.fetchNextBatch();
    if (batch === null) break;
    meter.addBatch(() => arrow.tableFromIPC(batch.ipcBytes));
  }
  meter.stop();
  await statement.close();
  await connection.close();
}

main().catch((error) => {
  process.stderr.write(`${error.stack || error}\n`);
  process.exit(1);
});
