# syntax=docker/dockerfile:1

# Compiles with everything, and leaves it behind.
FROM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-alpine
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts && npm cache clean --force
COPY bin ./bin
COPY fixtures ./fixtures
COPY src/storage/postgres/migrations ./src/storage/postgres/migrations
COPY schema ./schema
COPY --from=build /app/build/src ./build/src
COPY --from=build /app/build/assets ./build/assets

# A user of the image without rights; nothing of the application is theirs to write.
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=5s --retries=3 \
  CMD ["node", "bin/triage-api.js", "healthcheck"]
# As the first process it gets the signals itself, and ends as it should.
ENTRYPOINT ["node", "bin/triage-api.js"]
CMD ["serve"]
