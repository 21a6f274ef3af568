// SPDX-License-Identifier: Apache-2.0
// Reads one result with Databricks' driver for Node, which hands out rows as objects.
'use strict';

const path = require('path');
const { Meter } = require('./meter.js');

const PAGE_ROWS = 10000;

async function main() {
  const config = JSON.parse(process.argv[2]);
  const { DBSQLClient } = require(path.join(config.modules, 'node_modules', '@databricks/sql'));
  const client = new DBSQLClient();
  const where = config.kernel
    ? { host: `${config.scheme}://${config.host}:${config.port}`, useKernel: true }
    : { host: config.host, port: config.port, telemetryEnabled: false };
  await client.connect({ ...where, path: config.path, token: config.token });
  const session = await client.openSession();
  const meter = new Meter(config);
  meter.start();
  const operation = await session.executeStatement(config.sql, { runAsync: true });
  do {
    const rows = await operation.fetchChunk({ maxRows: PAGE_ROWS });
    for (const row of rows) meter.addRow(Object.values(row));
  } while (await operation.hasMoreRows());
  meter.stop();
  await operation.close();
  await session.close();
  await client.close();
}

main().catch((error) => {
  process.stderr.write(`${error.stack || error}\n`);
  process.exit(1);
});
