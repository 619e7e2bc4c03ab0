# The runtime image, for people who have a container engine; `make package` needs none and makes the same image.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg SAILPLANE_COMMIT=$(git rev-parse HEAD) --tag sailplane .
#
# The base is pinned by tag alone, and Debian's packages not at all: where every byte has to be known, use `make package`.
FROM --platform=$BUILDPLATFORM rust:1.95.0-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends cmake python3-venv
WORKDIR /src
COPY . .
ARG TARGETARCH
# The folder .git is not copied. What `sailplane --version` says without it has no commit.
ARG SAILPLANE_COMMIT
RUN make binaries ARCHITECTURES=$TARGETARCH && cp target/*-linux-musl/release/sailplane /sailplane

FROM scratch
COPY --from=build /sailplane /sailplane
USER 2000:2000
EXPOSE 8080 8081 9443
ENTRYPOINT ["/sailplane", "function"]
