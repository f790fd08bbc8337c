# The image of the service: Node and the production dependencies on a base without a shell. `make image` builds it. The bases
# are pinned by tag; a registry that mirrors them, or digests, can be given as build arguments.
ARG BUILD_IMAGE=docker.io/library/node:26.10.0-trixie-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian13:nonroot

FROM ${BUILD_IMAGE} AS production
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# Node, and the one library of it that the runtime base does not have.
RUN mkdir /libraries && cp -L "$(ldd "$(command -v node)" | awk '/libatomic/ { print $3 }')" /libraries/ \
  && cp "$(command -v node)" /node

FROM production AS build
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
# Not by npm, which would look for the Node of the development dependencies.
RUN node node_modules/typescript/bin/tsc -p tsconfig.build.json

FROM ${RUNTIME_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="authz-jsonmasking" \
  org.opencontainers.image.description="JSON masking authorizer: a policy enforcement point that masks, sets and removes what a user may not see in any JSON payload" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
COPY --from=production /node /usr/local/bin/node
COPY --from=production /libraries/ /usr/lib/
COPY --from=production /app/package.json /app/package.json
COPY --from=production /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
COPY LICENSE /app/LICENSE
ENV NODE_ENV=production PATH=/usr/local/bin:/usr/bin:/bin
WORKDIR /app
# By number, so that Kubernetes can tell that it is not root.
USER 65532:65532
EXPOSE 5002
ENTRYPOINT ["node", "/app/dist/main.js"]
CMD ["--config", "/etc/authz-jsonmasking/config.yaml"]
