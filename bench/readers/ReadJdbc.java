// SPDX-License-Identifier: Apache-2.0
// Reads one result with Databricks' JDBC driver, every cell of every row. Arguments: URL, token, SQL, two columns to
// be checked, "cells" (getObject on all of them) or "rows" (on the two alone).

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;

public final class ReadJdbc {
  private static final int CHECKED = 2;

  private static double cpuSeconds() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  private static long field(String file, String name) throws Exception {
    for (String line : Files.readAllLines(Path.of(file))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }

  private static long minorFaults() throws Exception {
    String stat = Files.readString(Path.of("/proc/self/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[7]);
  }

  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.put("UID", "token");
    properties.put("PWD", arguments[1]);
    int[] checked = {Integer.parseInt(arguments[3]) + 1, Integer.parseInt(arguments[4]) + 1};
    boolean allCells = arguments[5].equals("cells");
    Class.forName("com.databricks.client.jdbc.Driver");
    try (Connection connection = DriverManager.getConnection(arguments[0], properties);
        Statement statement = connection.createStatement()) {
      read(statement, arguments[2], checked, allCells);
    }
    System.exit(0);
  }

  private static void read(Statement statement, String sql, int[] checked, boolean allCells)
      throws Exception {
    long[] sums = new long[CHECKED];
    long[] ordered = new long[CHECKED];
    long rows = 0;
    long seen = 0;
    double firstRow = 0;
    double cpu = cpuSeconds();
    long faults = minorFaults();
    long start = System.nanoTime();
    try (ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        if (rows++ == 0) {
          firstRow = (System.nanoTime() - start) / 1e9;
        }
        if (allCells) {
          for (int column = 1; column <= columns; ++column) {
            Object value = result.getObject(column);
            seen += value == null ? 1 : value.hashCode();
          }
        }
        for (int i = 0; i < CHECKED; ++i) {
          long value = result.getLong(checked[i]);
          sums[i] += value;
          ordered[i] += value * rows;
        }
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          "{\"rows\":%d,\"batches\":0,\"columns\":%d,\"seconds\":%f,\"check_seconds\":0,\"first_batch\":%f,"
              + "\"delay_seconds\":0,\"cpu_user\":%f,\"cpu_system\":0,\"minor_faults\":%d,\"peak_kib\":%d,"
              + "\"sums\":[%s,%s],\"ordered_sums\":[%s,%s],\"seen\":%d}%n",
          rows, columns, seconds, firstRow, cpuSeconds() - cpu, minorFaults() - faults,
          field("/proc/self/status", "VmHWM:"), Long.toUnsignedString(sums[0]),
          Long.toUnsignedString(sums[1]), Long.toUnsignedString(ordered[0]),
          Long.toUnsignedString(ordered[1]), seen);
    }
  }
}
