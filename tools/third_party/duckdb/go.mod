// A module without code of its own: `go mod download` fetches the module that carries DuckDB's static
// libraries and header, and compares it with go.sum.
module cloudfetch/third_party/duckdb

go 1.19

require github.com/duckdb/duckdb-go-bindings/lib/linux-amd64 v0.10505.0
