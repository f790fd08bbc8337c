# The image of the service: Node and the bundled program on a base without a shell and without a package manager.
# `make image` builds it, for amd64 and for arm64. Dependabot renews the digests of the bases. A registry that mirrors them can
# be given as build arguments.
ARG BUILD_IMAGE=docker.io/library/node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian13:nonroot@sha256:e792ab3d241a468a4fd7519ddbbebe66b49b5f365771716ea688ad40b6c6f1c2

# The bundle is the same for every processor, so the builder's own makes it.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
ARG BUILDARCH
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY LICENSE ./
COPY packaging ./packaging
COPY playground ./playground
COPY examples ./examples
COPY scripts ./scripts
COPY src ./src
# Not by npm, which would look for the Node of the development dependencies.
RUN node scripts/program.ts && cp package.json dist/ && \
  mkdir licenses && cp LICENSE packaging/standalone/node-license.txt licenses/ && \
  node -e 'fs.renameSync("dist/third-party.txt", "licenses/third-party.txt")'
# V8 compiles the program ahead for its own processor alone. An image for another one starts more slowly.
RUN [ "$BUILDARCH" != "$TARGETARCH" ] || node scripts/compile-ahead.ts dist/program
RUN node scripts/readable.ts licenses dist

# Node for the processor of the image. Nothing runs in this stage.
FROM ${BUILD_IMAGE} AS node

FROM ${RUNTIME_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="authz-jsonmasking" \
  org.opencontainers.image.description="JSON masking authorizer: a policy enforcement point that masks, sets and removes what a user may not see in any JSON payload" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=node /usr/local/bin/node /usr/local/bin/node
# The one library of Node that the base does not have.
COPY --from=node /usr/lib/*-linux-gnu/libatomic.so.1 /usr/lib/
COPY --from=build /app/licenses /app/licenses
COPY --from=build /app/dist /app/dist
ENV NODE_ENV=production PATH=/usr/local/bin:/usr/bin:/bin
WORKDIR /app
# By number, so that Kubernetes can tell that it is not root.
USER 65532:65532
EXPOSE 5002
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["--config", "/etc/authz-jsonmasking/config.yaml"]
