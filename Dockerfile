# The runtime image, for people who have a container engine; `make package` needs none and makes the same image.
#
#   docker buildx build --platform linux/amd64,linux/arm64 --tag sailplane .
FROM --platform=$BUILDPLATFORM rust:1.95.0-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends cmake python3-venv
WORKDIR /src
COPY . .
ARG TARGETARCH
RUN make binaries ARCHITECTURES=$TARGETARCH && cp target/*-linux-musl/release/sailplane /sailplane

FROM scratch
COPY --from=build /sailplane /sailplane
USER 2000:2000
EXPOSE 8080 8081 9443
ENTRYPOINT ["/sailplane", "function"]
