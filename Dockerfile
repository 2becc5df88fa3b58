# syntax=docker/dockerfile:1
FROM node:24-slim AS build
WORKDIR /srv
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN node server/start.mjs --prepare-only && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim
WORKDIR /srv
# A program of its own (GPL) that encodes films; see docs/decisions/0108-films.md.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*
# Kokoro comes into /data/models in the background unless VOICES=none; see docs/engines.md.
# glibc raises its threshold for mapped blocks after large buffers and keeps what it frees below it, in one arena a thread:
# 227 to 241 MB idle with these settings, 231 to 269 without. Pages and speech take the same processor time.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=262144
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data TMPDIR=/data/tmp
COPY --from=build /srv/node_modules node_modules
COPY --from=build /srv/build build
COPY --from=build /srv/server/start.mjs /srv/server/prepare.mjs server/
COPY --from=build /srv/package.json /srv/package-lock.json /srv/LICENSE /srv/NOTICE ./
RUN mkdir -p /data/tmp /data/models && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# What `npm start` runs, without npm in between, so that signals arrive and nothing is written outside /data.
CMD ["node", "server/start.mjs"]
