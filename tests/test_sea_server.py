# SPDX-License-Identifier: Apache-2.0
"""The warehouse's Statement Execution API, asked over bare HTTP: no driver and no client of anyone's."""

import base64
import contextlib
import datetime
import http.client
import json
import threading
import urllib.error
import urllib.request

import lz4.frame
import pyarrow.ipc
import pytest
from conftest import TOKEN, start_warehouse

STATEMENTS = "/api/2.0/sql/statements"
SESSIONS = "/api/2.0/sql/sessions"
SLOW = "SELECT count(*) FROM range(10000000) a, range(1000000) b"
SALES = "SELECT * FROM main.tpcds_sf1_delta.catalog_sales"
NUM_SALES = 1_441_548


class Api:
    """One client at a warehouse's door."""

    def __init__(self, warehouse, token=TOKEN):
        self.warehouse = warehouse
        self.token = token
        self.session = None

    def ask(self, method, path, body=None):
        """Status, headers and JSON of the reply."""
        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.warehouse.port, timeout=120)
        with contextlib.closing(connection):
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            reply = connection.getresponse()
            text = reply.read()
            return reply.status, reply.headers, json.loads(text) if text else None

    def open(self, **fields):
        status, _, body = self.ask("POST", SESSIONS, {"warehouse_id": "w1", **fields})
        assert status == 200, body
        self.session = body["session_id"]
        return self.session

    def execute(self, sql, **fields):
        request = {"statement": sql, "warehouse_id": "w1", **fields}
        if self.session is not None:
            request["session_id"] = self.session
        status, _, body = self.ask("POST", STATEMENTS, request)
        assert status == 200, body
        return body

    def rows(self, sql, **fields):
        body = self.execute(sql, **fields)
        assert body["status"]["state"] == "SUCCEEDED", body
        return body["result"].get("data_array", [])

    def get(self, statement_id):
        return self.ask("GET", f"{STATEMENTS}/{statement_id}")[2]

    def links(self, body):
        """All links of a result, as a client follows them."""
        page, links = body["result"], []
        while True:
            links += page["external_links"]
            following = links[-1].get("next_chunk_index")
            if following is None:
                return links
            assert following == len(links)
            status, _, page = self.ask("GET", links[-1]["next_chunk_internal_link"])
            assert status == 200 and list(page) == ["external_links"]


def download(link):
    with urllib.request.urlopen(link["external_link"], timeout=60) as reply:
        return reply.read()


def unpack(stored):
    """All LZ4 frames, one after another."""
    raw = b""
    while stored:
        part, used = lz4.frame.decompress(stored, return_bytes_read=True)
        raw += part
        stored = stored[used:]
    return raw


def arrow(**fields):
    return {"format": "ARROW_STREAM", "disposition": "INLINE_OR_EXTERNAL_LINKS", "wait_timeout": "50s", **fields}


@pytest.fixture
def api(warehouse):
    client = Api(warehouse)
    client.open()
    yield client
    client.ask("DELETE", f"{SESSIONS}/{client.session}?warehouse_id=w1")


def test_tokens_are_asked_for(warehouse):
    status, headers, body = Api(warehouse, token=None).ask("POST", SESSIONS + "/", {"warehouse_id": "w1"})
    assert (status, body["error_code"]) == (401, 401)
    assert headers["www-authenticate"] == 'Bearer realm="DatabricksRealm"'
    status, _, body = Api(warehouse, token="wrong").ask("POST", SESSIONS, {"warehouse_id": "w1"})
    assert (status, body) == (403, {"error_code": 403, "message": "Invalid access token."})


def test_replies_bear_the_services_headers(api):
    _, headers, _ = api.ask("GET", f"{STATEMENTS}/nothing")
    for name in ("server", "date", "x-request-id", "x-databricks-org-id"):
        assert headers[name], name
    assert headers["content-type"].startswith("application/json")


def test_session_state_is_kept(api):
    api.execute("USE SCHEMA main.tpcds_sf1_delta")
    api.execute("SET TIME ZONE 'America/Los_Angeles'")
    assert api.rows("SELECT current_schema(), TIMESTAMP'2021-01-01 10:00:00'") == [
        ["tpcds_sf1_delta", "2021-01-01T10:00:00.000-08:00"]
    ]
    assert api.rows("SELECT count(*) FROM store") == [["12"]]


def test_a_deleted_session_is_gone(warehouse):
    client = Api(warehouse)
    client.open(catalog="SPARK", schema="default", session_confs={"TIMEZONE": "UTC"})
    for _ in range(2):
        assert client.ask("DELETE", f"{SESSIONS}/{client.session}", {"warehouse_id": "w1"})[2] == {}
    status, _, body = client.ask(
        "POST", STATEMENTS, {"statement": "SELECT 1", "warehouse_id": "w1", "session_id": client.session}
    )
    assert (status, body["error_code"]) == (404, "NOT_FOUND")


def test_errors_of_sql_are_failed_statements(api):
    for sql, sqlstate in (
        ("SELEC 1", "42601"),
        ("SELECT * FROM main.default.nothing", "42P01"),
        ("SELECT nothing FROM range(1)", "42703"),
        ("SELECT CAST('x' AS INT)", "22018"),
    ):
        body = api.execute(sql)
        assert list(body) == ["statement_id", "status"]
        assert body["status"]["state"] == "FAILED"
        assert body["status"]["sql_state"] == sqlstate, body
        assert f"SQLSTATE: {sqlstate}" in body["status"]["error"]["message"]


def test_ddl_and_dml_count_rows(api):
    body = api.execute("CREATE OR REPLACE TABLE main.default.sea_rows (id INT, name STRING)")
    assert body["manifest"]["schema"] == {"column_count": 0} and body["result"] == {}
    try:
        inserted = api.execute("INSERT INTO main.default.sea_rows VALUES (1, 'a'), (2, NULL), (3, 'c')")
        assert [column["name"] for column in inserted["manifest"]["schema"]["columns"]] == [
            "num_affected_rows",
            "num_inserted_rows",
        ]
        assert inserted["result"]["data_array"] == [["3", "3"]]
        assert api.rows("UPDATE main.default.sea_rows SET name = 'b' WHERE id = 2") == [["1"]]
        assert api.rows("DELETE FROM main.default.sea_rows WHERE id > 1") == [["2"]]
        assert api.rows("SELECT * FROM main.default.sea_rows") == [["1", "a"]]
    finally:
        api.execute("DROP TABLE main.default.sea_rows")


def test_what_one_protocol_changes_the_other_sees(api, connect):
    sql = "SELECT sum(id) FROM main.default.sea_shared"
    with connect().cursor() as cursor:
        cursor.execute("CREATE OR REPLACE TABLE main.default.sea_shared AS SELECT 1 AS id")
        try:
            cursor.execute(sql)
            assert cursor.fetchone() == (1,)
            assert api.rows("INSERT INTO main.default.sea_shared VALUES (41)") == [["1", "1"]]
            cursor.execute(sql)  # not from what the cache remembers
            assert cursor.fetchone() == (42,)
            cursor.execute("INSERT INTO main.default.sea_shared VALUES (58)")
            assert api.rows(sql) == [["100"]]
        finally:
            cursor.execute("DROP TABLE main.default.sea_shared")


def test_parameters_are_positional_and_named(api):
    positional = [
        {"type": "STRING", "value": "it's", "ordinal": 2},
        {"type": "LONG", "value": "9007199254740993", "ordinal": 1},
        {"type": "DECIMAL(5,2)", "value": "1.50", "ordinal": 3},
        {"type": "DATE", "ordinal": 4},
    ]
    assert api.rows("SELECT ?, ?, ?, ?", parameters=positional) == [["9007199254740993", "it's", "1.50", None]]
    named = [
        {"name": "a", "type": "BOOLEAN", "value": "true"},
        {"name": "b", "type": "TIMESTAMP", "value": "2021-01-01T10:00:00"},
        {"name": "c"},
    ]
    assert api.rows("SELECT :a, :b, :`c`, :a", parameters=named) == [["true", "2021-01-01T10:00:00.000Z", None, "true"]]
    assert api.execute("SELECT :d", parameters=named)["status"]["state"] == "FAILED"


def test_text_and_arrow_hold_the_same(api):
    sql = (
        "SELECT id, id % 7 = 0 AS flag, CAST(id AS DECIMAL(9,2)) AS price, concat('row ', id) AS name, "
        "CASE WHEN id % 3 = 0 THEN NULL ELSE date_add(DATE'2020-01-01', CAST(id AS INT)) END AS day, "
        "array(id, NULL) AS list, named_struct('a', id, 'b', 'x') AS pair FROM range(1000) ORDER BY id"
    )
    texts = api.rows(sql)
    body = api.execute(sql, **arrow(result_compression="LZ4_FRAME"))
    table = pyarrow.ipc.open_stream(unpack(base64.b64decode(body["result"]["attachment"]))).read_all()
    assert table.num_rows == len(texts) == body["manifest"]["total_row_count"] == 1000
    for row, (number, flag, price, name, day, items, pair) in zip(table.to_pylist(), texts, strict=True):
        assert row["id"] == int(number) and row["flag"] == (flag == "true")
        assert str(row["price"]) == price and row["name"] == name
        assert row["day"] == (None if day is None else datetime.date.fromisoformat(day))
        assert row["list"] == json.loads(items) and row["pair"] == json.loads(pair)


@pytest.mark.parametrize("disposition", ["EXTERNAL_LINKS", "INLINE_OR_EXTERNAL_LINKS"])
def test_a_large_result_travels_in_files(api, disposition):
    body = api.execute(SALES, **arrow(disposition=disposition, result_compression="LZ4_FRAME"))
    manifest, num_first = body["manifest"], len(body["result"]["external_links"])
    assert num_first == (1 if disposition == "EXTERNAL_LINKS" else min(32, manifest["total_chunk_count"]))
    assert manifest["total_row_count"] == NUM_SALES and manifest["truncated"] is False
    links = api.links(body)
    assert len(links) == manifest["total_chunk_count"] == len(manifest["chunks"])
    num_rows, quantity = 0, 0
    for link, chunk in zip(links, manifest["chunks"], strict=True):
        assert link["row_offset"] == chunk["row_offset"] == num_rows
        stored = download(link)
        assert len(stored) == link["byte_count"]
        raw = lz4.frame.decompress(stored)
        assert len(raw) == chunk["byte_count"]
        table = pyarrow.ipc.open_stream(raw).read_all()
        assert table.num_rows == link["row_count"] == chunk["row_count"]
        num_rows += table.num_rows
        quantity += sum(value for value in table["cs_quantity"].to_pylist() if value is not None)
    assert num_rows == NUM_SALES
    assert api.rows("SELECT sum(cs_quantity) FROM main.tpcds_sf1_delta.catalog_sales") == [[str(quantity)]]
    assert sum(chunk["byte_count"] for chunk in manifest["chunks"]) == manifest["total_byte_count"]


def test_json_and_csv_files(api):
    sql = "SELECT id, CASE WHEN id % 2 = 0 THEN 'a,\"b\"' END AS name FROM range(3)"
    body = api.execute(sql, disposition="EXTERNAL_LINKS")
    assert json.loads(download(api.links(body)[0])) == [["0", 'a,"b"'], ["1", None], ["2", 'a,"b"']]
    body = api.execute(sql, disposition="EXTERNAL_LINKS", format="CSV")
    assert download(api.links(body)[0]) == b'id,name\r\n0,"a,""b"""\r\n1,null\r\n2,"a,""b"""\r\n'


def test_links_want_no_token_and_expire():
    warehouse = start_warehouse("--link-lifetime", "0")
    try:
        client = Api(warehouse)
        links = client.links(client.execute("SELECT 1", **arrow(disposition="EXTERNAL_LINKS")))
        with pytest.raises(urllib.error.HTTPError) as refused:
            download(links[0])
        assert refused.value.code == 403
        assert b"expired" in refused.value.read().lower()
        refused.value.close()
    finally:
        warehouse.stop()


@pytest.mark.parametrize("links", [1, 2, 4])
def test_links_come_in_pages_of_the_size_that_was_set(links):
    warehouse = start_warehouse(
        "--links-per-page", links, "--links-per-chunk", links, "--chunk-bytes", "10000", "--inline-limit", "0"
    )
    try:
        client = Api(warehouse)
        body = client.execute("SELECT id FROM range(50000)", **arrow())
        count = body["manifest"]["total_chunk_count"]
        assert count > 8 and len(body["result"]["external_links"]) == links
        _, _, page = client.ask("GET", f"{STATEMENTS}/{body['statement_id']}/result/chunks/3")
        assert [link["chunk_index"] for link in page["external_links"]] == list(range(3, 3 + links))
        assert len(client.links(body)) == count
        status, _, _ = client.ask("GET", f"{STATEMENTS}/{body['statement_id']}/result/chunks/{count}")
        assert status == 400
    finally:
        warehouse.stop()


def test_limits_cut_and_say_so(api):
    body = api.execute("SELECT * FROM range(100)", row_limit=10)
    assert body["manifest"]["truncated"] is True and body["manifest"]["total_row_count"] == 10
    body = api.execute("SELECT * FROM range(10)", row_limit=10)
    assert body["manifest"]["truncated"] is False
    body = api.execute("SELECT * FROM range(100000)", byte_limit=8000, **arrow())
    assert body["manifest"]["truncated"] is True and 0 < body["manifest"]["total_row_count"] <= 1000


def test_inline_results_have_a_largest_size(api):
    body = api.execute(SALES, wait_timeout="50s")
    assert body["status"]["state"] == "FAILED"
    assert "INLINE" in body["status"]["error"]["message"]


def test_a_statement_goes_on_without_its_client_and_is_cancelled(api):
    body = api.execute(SLOW, wait_timeout="0s")
    statement_id = body["statement_id"]
    assert body["status"]["state"] in ("PENDING", "RUNNING") and "manifest" not in body
    told = []
    waiter = threading.Thread(target=lambda: told.append(api.get(statement_id)))
    waiter.start()  # held by the server until there is news
    assert api.ask("POST", f"{STATEMENTS}/{statement_id}/cancel")[2] == {}
    waiter.join(30)
    assert told[0]["status"]["state"] in ("CANCELED", "RUNNING")
    assert api.get(statement_id)["status"] == {"state": "CANCELED"}
    assert api.ask("DELETE", f"{STATEMENTS}/{statement_id}")[2] == {}
    assert api.get(statement_id)["status"] == {"state": "CLOSED"}


def test_a_late_statement_is_cancelled_on_request(api):
    body = api.execute(SLOW, wait_timeout="5s", on_wait_timeout="CANCEL")
    assert body["status"] == {"state": "CANCELED"}


def test_refused_requests(api):
    for fields, code in (
        ({"wait_timeout": "3s"}, "INVALID_PARAMETER_VALUE"),
        ({"disposition": "SOMEWHERE"}, "INVALID_PARAMETER_VALUE"),
        ({"format": "CSV"}, "INVALID_PARAMETER_VALUE"),
        ({"row_limit": "ten"}, "INVALID_PARAMETER_VALUE"),
        ({"parameters": [{"value": "1"}] * 257}, "INVALID_PARAMETER_VALUE"),
    ):
        request = {"statement": "SELECT 1", "warehouse_id": "w1", **fields}
        status, _, body = api.ask("POST", STATEMENTS, request)
        assert (status, body["error_code"]) == (400, code), fields
    for path, expected in (("01f1ed37-2dda-1731-9372-852b5eefbdb9", 404), ("no-id", 400)):
        assert api.ask("GET", f"{STATEMENTS}/{path}")[0] == expected
    assert api.ask("GET", "/api/2.0/sql/elsewhere")[0] == 404


def test_faults_are_scripted(api, warehouse):
    busy = {"status": 429, "headers": {"Retry-After": "1"}, "body": "{}"}
    warehouse.set_faults(
        [
            {"match": {"point": "sea", "method": "ExecuteStatement", "nth": 1}, "action": busy},
            {"match": {"point": "result", "sql": "SELECT 7"}, "action": {"states": ["PENDING", "RUNNING"]}},
            {"match": {"point": "sea", "method": "GetChunk", "chunk": 0, "nth": 1}, "action": {"status": 503}},
            {"match": {"point": "sea", "method": "CancelStatement"}, "action": {"forget_session": True}},
        ]
    )
    status, headers, _ = api.ask("POST", STATEMENTS, {"statement": "SELECT 1", "warehouse_id": "w1"})
    assert (status, headers["Retry-After"]) == (429, "1")
    body = api.execute("SELECT 7", **arrow(disposition="EXTERNAL_LINKS"))
    assert body["status"]["state"] == "PENDING"
    assert api.get(body["statement_id"])["status"]["state"] == "RUNNING"
    assert api.get(body["statement_id"])["status"]["state"] == "SUCCEEDED"
    chunk = f"{STATEMENTS}/{body['statement_id']}/result/chunks/0"
    assert [api.ask("GET", chunk)[0] for _ in range(2)] == [503, 200]
    assert api.ask("POST", f"{STATEMENTS}/{body['statement_id']}/cancel")[0] == 200
    status, _, _ = api.ask(
        "POST", STATEMENTS, {"statement": "SELECT 1", "warehouse_id": "w1", "session_id": api.session}
    )
    assert status == 404


def test_requests_are_counted_and_logged(api, warehouse):
    before = warehouse.stats()
    api.execute("SELECT 1")
    assert api.ask("GET", "/api/2.0/connector-service/feature-flags/PYTHON/4.9.0")[2]["flags"] == []
    assert api.ask("POST", "/telemetry-ext", {"protoLogs": ["{}"]})[0] == 200
    after = warehouse.stats()
    for kind in ("sea.execute_statement", "flags", "telemetry"):
        assert after["requests"][kind] == before["requests"].get(kind, 0) + 1, kind
    assert after["sea"]["statements_run"] == before["sea"]["statements_run"] + 1
