# SPDX-License-Identifier: Apache-2.0
"""The links of a result, for clients that know no protocol but HTTP."""

import ssl

from . import server


def of_result(endpoint, sql):
    """Runs `sql` over Thrift, LZ4 asked for, and returns the URLs of all its files in order."""
    from databricks.sql.thrift_api.TCLIService import TCLIService, ttypes
    from thrift.protocol import TBinaryProtocol
    from thrift.transport import THttpClient

    context = ssl.create_default_context(cafile=endpoint.ca) if endpoint.ca else None
    transport = THttpClient.THttpClient(endpoint.base + server.PATH, ssl_context=context)
    transport.setCustomHeaders({"Authorization": f"Bearer {server.TOKEN}"})
    client = TCLIService.Client(TBinaryProtocol.TBinaryProtocol(transport))
    version = ttypes.TProtocolVersion.SPARK_CLI_SERVICE_PROTOCOL_V7
    opened = client.OpenSession(ttypes.TOpenSessionReq(client_protocol_i64=version))
    try:
        ran = client.ExecuteStatement(
            ttypes.TExecuteStatementReq(
                sessionHandle=opened.sessionHandle,
                statement=sql,
                canReadArrowResult=True,
                canDownloadResult=True,
                canDecompressLZ4Result=True,
                useArrowNativeTypes=ttypes.TSparkArrowTypes(
                    timestampAsArrow=True, decimalAsArrow=True, complexTypesAsArrow=True, intervalTypesAsArrow=True
                ),
                runAsync=False,
            )
        )
        if ran.operationHandle is None:
            raise RuntimeError(f"the statement failed: {ran.status.errorMessage}")
        urls = []
        more = True
        while more:
            page = client.FetchResults(
                ttypes.TFetchResultsReq(
                    operationHandle=ran.operationHandle,
                    orientation=ttypes.TFetchOrientation.FETCH_NEXT,
                    maxRows=1 << 30,
                )
            )
            urls += [link.fileLink for link in page.results.resultLinks or []]
            more = page.hasMoreRows
        return urls
    finally:
        client.CloseSession(ttypes.TCloseSessionReq(sessionHandle=opened.sessionHandle))
