# Compiles with everything, and leaves it behind: once, on the machine that builds, for every platform. The secret
# `npmrc` can name a registry, and stays out of the image: `docker build --secret id=npmrc,src=$HOME/.npmrc`.
FROM --platform=$BUILDPLATFORM node:24.11.1-alpine3.22@sha256:2867d550cf9d8bb50059a0fff528741f11a84d985c732e60e19e8e75c7239c43 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --ignore-scripts
COPY . .
RUN npm run build:package

FROM node:24.11.1-alpine3.22@sha256:2867d550cf9d8bb50059a0fff528741f11a84d985c732e60e19e8e75c7239c43
WORKDIR /app
# Platforms set PORT, which counts because the image sets no TRIAGE_PORT.
ENV NODE_ENV=production TRIAGE_HOST=0.0.0.0
COPY LICENSE package.json ./
COPY bin ./bin
COPY fixtures ./fixtures
COPY schema ./schema
COPY --from=build /app/build/bin ./build/bin
COPY --from=build /app/build/assets ./build/assets
COPY --from=build /app/sbom.cdx.json ./sbom.cdx.json
COPY --from=build /app/THIRD-PARTY-LICENSES.txt ./THIRD-PARTY-LICENSES.txt

ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="triage-api" \
      org.opencontainers.image.description="The dependency-vulnerability triage API v1, served from fixtures or from a database" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"

# A user of the image without rights; nothing of the application is theirs to write.
USER node
EXPOSE 4000
# Whether the process responds, not whether its database does: a restart would not help.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "bin/triage-api.js", "healthcheck", "--live"]
# A program that reaps processes and hands on signals comes before it: `init` in compose.yaml, `docker run --init`.
ENTRYPOINT ["node", "bin/triage-api.js"]
CMD ["serve"]
