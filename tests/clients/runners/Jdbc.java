// SPDX-License-Identifier: Apache-2.0
// Databricks' JDBC driver at work. Arguments: URL, token, a properties file with the SQL by action, two columns of
// the large result to be summed. Prints what came of each action as a line of JSON.

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

public final class Jdbc {
  private static final String SCHEMA = "tpcds_sf1_delta";
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static String url;
  private static String token;
  private static final Properties SQL = new Properties();
  private static String[] summed;

  private interface Action {
    Object run() throws Exception;
  }

  private static final class NotOffered extends Exception {
    NotOffered(String what) {
      super(what);
    }
  }

  public static void main(String[] arguments) throws Exception {
    url = arguments[0];
    token = arguments[1];
    try (var reader = Files.newBufferedReader(Path.of(arguments[2]))) {
      SQL.load(reader);
    }
    summed = new String[] {arguments[3], arguments[4]};
    Class.forName("com.databricks.client.jdbc.Driver");
    report("connect", Jdbc::connectOnly);
    report("select_one", () -> query(sql("one")));
    report("types", Jdbc::types);
    report("intervals", () -> query(sql("intervals")));
    report("named", Jdbc::named);
    report("positional", Jdbc::positional);
    report("null", Jdbc::nullParameter);
    report("ddl", Jdbc::ddl);
    report("dml", Jdbc::dml);
    report("catalogs", () -> listing(DatabaseMetaData::getCatalogs, "TABLE_CAT"));
    report("schemas", () -> listing(data -> data.getSchemas("main", null), "TABLE_SCHEM"));
    report("tables", () -> listing(data -> data.getTables("main", SCHEMA, "%", null), "TABLE_NAME"));
    report("columns", () -> listing(data -> data.getColumns("main", SCHEMA, "customer", "%"), "COLUMN_NAME"));
    report("large", Jdbc::large);
    report("error", () -> failure(() -> query(sql("error"))));
    report("cancel", Jdbc::cancel);
    report("two", Jdbc::two);
    report("lost", Jdbc::lost);
    Runtime.getRuntime().halt(0);
  }

  private static void report(String name, Action action) {
    StringBuilder line = new StringBuilder("@{\"action\":");
    json(name, line);
    try {
      Object value = action.run();
      line.append(",\"value\":");
      json(value, line);
    } catch (NotOffered reason) {
      line.append(",\"not_offered\":");
      json(reason.getMessage(), line);
    } catch (Throwable problem) {
      line.append(",\"failed\":");
      json(problem.toString(), line);
      problem.printStackTrace();
    }
    OUT.println(line.append('}'));
  }

  private static void json(Object value, StringBuilder out) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof List<?> items) {
      out.append('[');
      for (int i = 0; i < items.size(); ++i) {
        if (i > 0) out.append(',');
        json(items.get(i), out);
      }
      out.append(']');
    } else if (value instanceof SQLException problem) {
      out.append("{\"type\":\"SQLException\",\"text\":");
      json(String.valueOf(problem.getMessage()), out);
      out.append(",\"sqlstate\":");
      json(problem.getSQLState(), out);
      out.append('}');
    } else {
      out.append('"');
      for (char c : value.toString().toCharArray()) {
        if (c == '"' || c == '\\') out.append('\\').append(c);
        else if (c < ' ') out.append(String.format("\\u%04x", (int) c));
        else out.append(c);
      }
      out.append('"');
    }
  }

  private static String sql(String name) {
    return SQL.getProperty(name);
  }

  private static Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.put("UID", "token");
    properties.put("PWD", token);
    return DriverManager.getConnection(url, properties);
  }

  private static Object connectOnly() throws SQLException {
    try (Connection connection = connect()) {
      return connection.isValid(5);
    }
  }

  private static Object cell(ResultSet result, int column, String type) throws SQLException {
    if (type.equals("BINARY")) {
      byte[] bytes = result.getBytes(column);
      return bytes == null ? null : java.util.HexFormat.of().withUpperCase().formatHex(bytes);
    }
    if (type.equals("DECIMAL")) {
      var number = result.getBigDecimal(column);
      return number == null ? null : number.toPlainString();
    }
    return result.getString(column);
  }

  private static List<Object> rows(ResultSet result) throws SQLException {
    List<Object> rows = new ArrayList<>();
    var about = result.getMetaData();
    while (result.next()) {
      List<Object> row = new ArrayList<>();
      for (int column = 1; column <= about.getColumnCount(); ++column) {
        row.add(cell(result, column, about.getColumnTypeName(column)));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<Object> query(String text) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(text)) {
      return rows(result);
    }
  }

  private static Object types() throws SQLException {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      statement.execute(sql("create_types"));
      statement.execute(sql("fill_types"));
      List<Object> rows;
      try (ResultSet result = statement.executeQuery(sql("types"))) {
        rows = rows(result);
      }
      statement.execute(sql("drop_types"));
      return rows;
    }
  }

  private static Object named() throws NotOffered {
    throw new NotOffered("JDBC binds by position");
  }

  private static Object positional() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql("positional"))) {
      statement.setInt(1, 7);
      statement.setString(2, "it's");
      return rows(statement.executeQuery());
    }
  }

  private static Object nullParameter() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement statement = connection.prepareStatement(sql("null_positional"))) {
      statement.setNull(1, Types.INTEGER);
      return rows(statement.executeQuery());
    }
  }

  private static Object ddl() throws Exception {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      statement.execute(sql("create"));
      Object count;
      try (ResultSet result = statement.executeQuery(sql("count"))) {
        result.next();
        count = result.getLong(1);
      }
      statement.execute(sql("drop"));
      return List.of(count, failure(() -> statement.executeQuery(sql("count"))));
    }
  }

  private static Object dml() throws SQLException {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      statement.execute(sql("create"));
      List<Object> counts = new ArrayList<>();
      for (String name : List.of("insert", "update", "delete")) {
        counts.add(statement.executeUpdate(sql(name)));
      }
      List<Object> rows;
      try (ResultSet result = statement.executeQuery(sql("rows"))) {
        rows = rows(result);
      }
      statement.execute(sql("drop"));
      return List.of(counts, rows);
    }
  }

  private interface Ask {
    ResultSet of(DatabaseMetaData data) throws SQLException;
  }

  private static Object listing(Ask ask, String column) throws SQLException {
    try (Connection connection = connect(); ResultSet result = ask.of(connection.getMetaData())) {
      List<Object> names = new ArrayList<>();
      while (result.next()) names.add(result.getString(column));
      return names;
    }
  }

  private static Object large() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql("large"))) {
      long rows = 0;
      long[] sums = new long[summed.length];
      int[] at = {result.findColumn(summed[0]), result.findColumn(summed[1])};
      while (result.next()) {
        ++rows;
        for (int i = 0; i < at.length; ++i) sums[i] += result.getLong(at[i]);
      }
      return List.of(rows, sums[0], sums[1]);
    }
  }

  private static SQLException failure(Action action) throws Exception {
    try {
      action.run();
    } catch (SQLException problem) {
      return problem;
    }
    throw new IllegalStateException("no error came");
  }

  private static SQLException ending(CompletableFuture<Object> running) throws Exception {
    try {
      running.get(1, TimeUnit.SECONDS);
      throw new IllegalStateException("no error came");
    } catch (ExecutionException problem) {
      if (problem.getCause().getCause() instanceof SQLException cause) return cause;
      throw problem;
    }
  }

  private static CompletableFuture<Object> start(Action action) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return action.run();
          } catch (Exception problem) {
            throw new IllegalStateException(problem);
          }
        });
  }

  private static Object cancel() throws Exception {
    try (Connection connection = connect(); Statement statement = connection.createStatement()) {
      var running = start(() -> rows(statement.executeQuery(sql("endless"))));
      for (int second = 0; second < 60; ++second) {
        try {
          return ending(running);
        } catch (TimeoutException notYet) {
          try {
            statement.cancel();
          } catch (SQLException tooEarly) {
            System.err.println("cancel: " + tooEarly.getMessage());
          }
        }
      }
      throw new TimeoutException("still running after 60 seconds of cancels");
    }
  }

  private static Object one(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql(name))) {
      return rows(result);
    }
  }

  private static Object two() throws Exception {
    try (Connection connection = connect()) {
      var first = start(() -> one(connection, "one"));
      var second = start(() -> one(connection, "two"));
      return List.of(first.get(60, TimeUnit.SECONDS), second.get(60, TimeUnit.SECONDS));
    }
  }

  private static Object lost() throws Exception {
    SQLException problem;
    Connection connection = connect();
    try (Statement statement = connection.createStatement()) {
      problem = failure(() -> statement.executeQuery(sql("lost")));
    }
    return List.of(problem, query(sql("one")));
  }
}
