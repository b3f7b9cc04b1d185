import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type ReceivedSpan = ReturnType<typeof spansOf>[number]

/** Starts a server that receives traces like a collector: OTLP over HTTP, as protobuf. */
export const startOtlpReceiver = async () => {
  const spans: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/x-protobuf') {
      response.writeHead(404).end()
      return
    }
    spans.push(...spansOf(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Fields = Map<number, (Buffer | bigint)[]>

/** Returns the fields by number, in the wire format of Protocol Buffers. */
const fieldsOf = (bytes: Buffer): Fields => {
  const fields: Fields = new Map()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++] ?? 0
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const kind = key & 7
    const value = kind === 0 ? varint() : kind === 1 ? take(8) : kind === 5 ? take(4) : take(Number(varint()))
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value])
  }
  return fields
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).flatMap((value) => (Buffer.isBuffer(value) ? [fieldsOf(value)] : []))
const bytesOf = (fields: Fields, number: number): Buffer => {
  const [value] = fields.get(number) ?? []
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

/** Field numbers of opentelemetry/proto/{collector/trace,trace,common,resource}/v1. */
const spansOf = (request: Buffer) =>
  messages(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const [resource] = messages(resourceSpans, 1)
    const service = resource ? attributesOf(resource, 1)['service.name'] : undefined
    return messages(resourceSpans, 2)
      .flatMap((scope) => messages(scope, 2))
      .map((span) => ({
        service: service ?? '',
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentId: bytesOf(span, 4).toString('hex'),
        name: bytesOf(span, 5).toString(),
        attributes: attributesOf(span, 9),
      }))
  })

const attributesOf = (fields: Fields, number: number): Record<string, string> =>
  Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value] = messages(pair, 2)
      const [found] = value ? [...value.values()].flat() : []
      return [bytesOf(pair, 1).toString(), String(found ?? '')]
    }),
  )
