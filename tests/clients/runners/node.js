// SPDX-License-Identifier: Apache-2.0
// Databricks' driver for Node at work, over Thrift or with its kernel. Prints a line of JSON for each action.
'use strict';

const path = require('path');

const CONFIG = JSON.parse(process.argv[2]);
const SQL = CONFIG.sql;
const { DBSQLClient, DBSQLParameter, DBSQLParameterType } = require(
  path.join(CONFIG.modules, 'node_modules', '@databricks/sql'),
);
const SCHEMA = { catalogName: 'main', schemaName: 'tpcds_sf1_delta' };
const PAGE_ROWS = 20000;
const PATIENCE = 60;

class NotOffered extends Error {}

function text(value) {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) return Buffer.from(value).toString('hex').toUpperCase();
  if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
  if (Array.isArray(value)) return value.map(text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), text(item)]));
  if (typeof value === 'object' && typeof value.toJSON !== 'function') {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, text(item)]));
  }
  return String(value);
}

async function withSession(use) {
  const client = new DBSQLClient();
  const where = CONFIG.kernel
    ? { host: CONFIG.base, useKernel: true }
    : { host: CONFIG.host, port: CONFIG.port, telemetryEnabled: false };
  await client.connect({ ...where, path: CONFIG.path, token: CONFIG.token });
  try {
    const session = await client.openSession();
    const value = await use(session);
    await session.close().catch(() => undefined); // a lost session may refuse
    return value;
  } finally {
    await client.close();
  }
}

async function rowsOf(operation) {
  const rows = (await operation.fetchAll()).map((row) => Object.values(row).map(text));
  await operation.close();
  return rows;
}

async function run(session, sql, options = {}) {
  return rowsOf(await session.executeStatement(sql, options));
}

const query = (sql, options) => withSession((session) => run(session, sql, options));

async function failureOf(promise) {
  let value;
  try {
    value = await promise;
  } catch (failure) {
    const response = failure.response || {};
    const state = failure.sqlState || (response.status && response.status.sqlState) || response.sqlState;
    const words = [failure.message, response.displayMessage, response.errorMessage].filter(Boolean);
    return { type: failure.constructor.name, text: words.join(' '), sqlstate: state || null };
  }
  throw new Error(`no error came, but ${JSON.stringify(value)}`);
}

async function types() {
  return withSession(async (session) => {
    await run(session, SQL.create_types);
    await run(session, SQL.fill_types);
    const rows = await run(session, SQL.types);
    await run(session, SQL.drop_types);
    return rows;
  });
}

async function ddl() {
  return withSession(async (session) => {
    await run(session, SQL.create);
    const [[count]] = await run(session, SQL.count);
    await run(session, SQL.drop);
    return [count, await failureOf(run(session, SQL.count))];
  });
}

async function dml() {
  return withSession(async (session) => {
    await run(session, SQL.create);
    const counts = [];
    for (const name of ['insert', 'update', 'delete']) counts.push((await run(session, SQL[name]))[0][0]);
    const rows = await run(session, SQL.rows);
    await run(session, SQL.drop);
    return [counts, rows];
  });
}

async function listing(ask, column, otherwise) {
  return withSession(async (session) => {
    const operation = await ask(session);
    const rows = await operation.fetchAll();
    await operation.close();
    return rows.map((row) => (column in row ? row[column] : row[otherwise]));
  });
}

async function large() {
  return withSession(async (session) => {
    const operation = await session.executeStatement(SQL.large_narrow);
    const totals = [0, ...CONFIG.large_columns.map(() => 0)];
    do {
      const rows = await operation.fetchChunk({ maxRows: PAGE_ROWS });
      totals[0] += rows.length;
      CONFIG.large_columns.forEach((column, at) => {
        for (const row of rows) totals[at + 1] += Number(row[column]);
      });
    } while (await operation.hasMoreRows());
    await operation.close();
    return totals;
  });
}

async function cancel() {
  return withSession(async (session) => {
    const operation = await session.executeStatement(SQL.endless, { runAsync: true });
    const ending = failureOf(operation.fetchAll());
    await operation.cancel();
    return ending;
  });
}

async function two() {
  return withSession((session) => Promise.all([run(session, SQL.one), run(session, SQL.two)]));
}

async function lost() {
  const failure = await withSession((session) => failureOf(run(session, SQL.lost)));
  return [failure, await query(SQL.one)];
}

const nothing = () => new DBSQLParameter({ type: DBSQLParameterType.INTEGER, value: null });

const ACTIONS = {
  connect: () => withSession(async () => true),
  select_one: () => query(SQL.one),
  types,
  intervals: () => query(SQL.intervals),
  named: () => query(SQL.named, { namedParameters: { a: 7, b: "it's" } }),
  positional: () => query(SQL.positional, { ordinalParameters: [7, "it's"] }),
  null: () => query(SQL.null, { namedParameters: { a: nothing() } }),
  ddl,
  dml,
  catalogs: () => listing((session) => session.getCatalogs(), 'TABLE_CAT', 'catalog'),
  schemas: () => listing((session) => session.getSchemas({ catalogName: 'main' }), 'TABLE_SCHEM', 'databaseName'),
  tables: () => listing((session) => session.getTables(SCHEMA), 'TABLE_NAME', 'tableName'),
  columns: () =>
    listing((session) => session.getColumns({ ...SCHEMA, tableName: 'customer' }), 'COLUMN_NAME', 'col_name'),
  large,
  error: () => failureOf(query(SQL.error)),
  cancel,
  two,
  lost,
};

function limited(promise, seconds) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done in ${seconds} s`)), seconds * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function main() {
  for (const [action, perform] of Object.entries(ACTIONS)) {
    const line = { action };
    try {
      line.value = await limited(perform(), action === 'large' ? CONFIG.large_seconds : PATIENCE);
    } catch (failure) {
      line[failure instanceof NotOffered ? 'not_offered' : 'failed'] = `${failure.message}`;
      process.stderr.write(`${action}: ${failure.stack}\n`);
    }
    process.stdout.write(`@${JSON.stringify(line)}\n`);
  }
  process.exit(0);
}

main();
