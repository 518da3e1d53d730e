# syntax=docker/dockerfile:1
# Three stages: build the program and the elements, install what runs in production, and copy both into an image with neither
# npm nor a compiler.
FROM node:24-trixie-slim AS build
WORKDIR /inlay
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/client/package.json packages/client/
COPY packages/embed/package.json packages/embed/
COPY packages/studio/package.json packages/studio/
COPY packages/query/package.json packages/query/
COPY packages/service/package.json packages/service/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json tsconfig.json ./
COPY scripts scripts
COPY packages packages
RUN npm run build

FROM node:24-trixie-slim AS production
WORKDIR /inlay
COPY --from=build /inlay/package.json /inlay/package-lock.json /inlay/.npmrc ./
COPY --from=build /inlay/packages packages
# Node is that of the image; bundles for browsers, types and source maps are not needed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node node_modules/echarts/dist node_modules/echarts/types \
  && find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete \
  && mkdir data

FROM gcr.io/distroless/nodejs24-debian13:nonroot
WORKDIR /inlay
COPY --from=production /inlay ./
# The image has no shell, which sets the limits of the engine's processes.
COPY --from=production /usr/bin/dash /bin/sh
# A new volume takes over the owner of the folder that it is mounted on.
COPY --from=production --chown=65532:65532 /inlay/data /data
USER 65532:65532
ENV NODE_ENV=production INLAY_ENV=production INLAY_HOST=0.0.0.0 INLAY_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:8080/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "packages/service/bin/inlay.mjs"]
CMD ["start"]
