# Targets: `portal` (the default; also runs the report service and the demo), `exports` (`portal` with
# Chromium), `database`, `proxy`. docs/decisions/0044 says why every image starts from Debian.
ARG BASE_IMAGE=debian:12-slim

FROM ${BASE_IMAGE} AS base
RUN groupadd --system --gid 10001 bi-manager \
  && useradd --system --uid 10001 --gid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin bi-manager \
  && install -d -o 10001 -g 10001 -m 0700 /data /data/reports /secrets /backups

FROM ${BASE_IMAGE} AS build
# Debian's npm 9 installs the Node and npm that the packages need: it ignores their `libc` field itself.
RUN apt-get update && apt-get install -y --no-install-recommends binutils ca-certificates npm
ENV npm_config_audit=false npm_config_fund=false npm_config_loglevel=error NODE_NO_WARNINGS=1
WORKDIR /app
COPY package.json package-lock.json ./
COPY bench/package.json bench/
COPY packages/contract/package.json packages/contract/
COPY packages/e2e/package.json packages/e2e/
COPY packages/reports/package.json packages/reports/
COPY packages/server/package.json packages/server/
COPY packages/telemetry/package.json packages/telemetry/
COPY packages/web/package.json packages/web/
# The optional secret `ca` is the certificate of a proxy that inspects TLS.
RUN --mount=type=secret,id=ca \
  if [ -f /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi \
  && npm install --global "node@$(sed -n 's/^ *"node": "\([0-9.]*\)",*$/\1/p' package.json)" \
  && npm install --global npm@11.19.1 \
  && npm ci
COPY . .
RUN npm run build \
  && npm prune --omit=dev --offline \
  && strip -o /usr/local/bin/node24 node_modules/node/bin/node \
  && rm -rf node_modules/node node_modules/.bin node_modules/.cache bench packages/e2e docs package-lock.json \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && find packages/web -mindepth 1 -maxdepth 1 ! -name dist ! -name package.json -exec rm -r {} +

FROM base AS runtime
# tini forwards signals and reaps the processes that others leave behind.
RUN apt-get update && apt-get install -y --no-install-recommends tini && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/bin/node24 /usr/local/bin/node
COPY --from=build /app /app
WORKDIR /app
# MALLOC_…: freed memory goes back to the system (docs/decisions/0002).
ENV HOST=0.0.0.0 DATA_DIR=/data REPORTS_DATA_DIR=/data/reports MALLOC_MMAP_THRESHOLD_=131072
VOLUME /data /backups
EXPOSE 3000 3001
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "deploy/containers/healthcheck.js"]
ENTRYPOINT ["/usr/bin/tini", "--", "node"]
CMD ["--max-semi-space-size=8", "packages/server/src/main.ts"]

FROM runtime AS exports
# Mesa's drivers and their LLVM (165 MB) are for a GPU.
RUN apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell fonts-liberation \
  && dpkg --purge --force-depends libgl1-mesa-dri libllvm15 libz3-4 \
  && apt-get clean && rm -rf /var/lib/apt/lists/*
ENV CHROMIUM_PATH=/usr/bin/chromium-headless-shell
USER 10001:10001

FROM base AS database
# Debian would create a cluster while the image is built. Without LLVM (160 MB), PostgreSQL runs without JIT.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
  && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/none.conf \
  && apt-get update && apt-get install -y --no-install-recommends postgresql-15 \
  && dpkg --purge --force-depends libllvm14 libz3-4 \
  && rm -r /usr/lib/postgresql/15/lib/bitcode /usr/lib/postgresql/15/lib/llvmjit* \
  && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY deploy/containers/database.sh deploy/postgresql/create-database.sql /usr/local/share/bi-manager/
ENV PATH=/usr/lib/postgresql/15/bin:$PATH
USER 10001:10001
VOLUME /data /secrets
EXPOSE 5432
# Fast shutdown: ends sessions and writes a checkpoint.
STOPSIGNAL SIGINT
# Over TCP: the server that creates the database at the first start listens on its socket only.
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --retries=5 CMD ["pg_isready", "-h", "127.0.0.1"]
CMD ["sh", "/usr/local/share/bi-manager/database.sh"]

FROM base AS proxy
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates caddy \
  && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY deploy/containers/Caddyfile /etc/caddy/Caddyfile
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/data
USER 10001:10001
VOLUME /data
EXPOSE 80 443
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/443"]
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile"]

FROM runtime AS portal
USER 10001:10001
