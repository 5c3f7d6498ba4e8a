# The image of the service: docker build --tag tea-shop .
# docs/operating.md says how to run it.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY .swcrc openapi.yaml schema.graphql ./
COPY scripts/build.mjs scripts/
COPY scripts/build scripts/build
COPY docs/graphql.md docs/
COPY admin admin
COPY src src
ARG GIT_COMMIT=unknown
RUN npm run build

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production NODE_COMPILE_CACHE=/home/node/.compile-cache
WORKDIR /app
COPY package.json ./
COPY migrations migrations
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
# Fills the cache of compiled code, from which this user's processes start sooner.
RUN node --eval "require('./dist/app.js')" && node dist/cli/main.js --version
EXPOSE 3000
# Liveness, not readiness: a service whose database is away must not be replaced. Bash asks by itself, as another
# Node every few seconds would cost more than the service does when it is idle.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${PORT:-3000} && printf 'GET /health/live HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 _ status _ <&3 && [ \"$status\" = 200 ] || exit 1"]
CMD ["node", "dist/main.js"]
