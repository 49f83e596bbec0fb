# memctl as an MCP server over HTTP: docker build -t memctl . && docker run -v memory:/var/lib/memctl -p 127.0.0.1:8080:8080 memctl
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY cli cli
COPY schema schema
COPY sql sql
RUN python3 -m venv /opt/memctl && /opt/memctl/bin/pip install --no-cache-dir '.[mcp]'

FROM python:3.11-slim
COPY --from=build /opt/memctl /opt/memctl
ENV PATH=/opt/memctl/bin:$PATH MEMCTL_HOME=/var/lib/memctl
# Its owner alone reads what is remembered, and the token that the first start makes there.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin memctl \
    && install --directory --owner=memctl --group=memctl --mode=0700 /var/lib/memctl
USER 10001
VOLUME /var/lib/memctl
EXPOSE 8080
# Any answer but a failure of its own says that it is there: this one bears no token.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python3", "-c", "from http.client import HTTPConnection as C; c = C('127.0.0.1', 8080, timeout=4); c.request('GET', '/mcp'); raise SystemExit(c.getresponse().status >= 500)"]
ENTRYPOINT ["memctl"]
# The port is published by whoever runs it: on 127.0.0.1, or behind a proxy with TLS (--public-url).
CMD ["--app", "agent", "mcp", "--http", "0.0.0.0:8080", "--allow-remote"]
