import { expect, test } from 'vitest'
import { eventStreamReader } from './event-stream.ts'

const heard = (...pieces: string[]) => {
  const names: string[] = []
  const read = eventStreamReader((name) => names.push(name))
  for (const piece of pieces) read(piece)
  return names
}

test.each([
  ['an event', 'event: acesso\ndata: {}\n\n', ['acesso']],
  ['comments and empty lines alone', ': aberto\n\n:\n\n\n', []],
  ['other line ends', 'event: acesso\r\ndata: {}\r\n\r\nevent: b\rdata:\r\r\n', ['acesso', 'b']],
  ['no space after the colon, unknown fields, no data', 'id: 7\nevent:acesso\nretry: 1\n\n', ['acesso']],
  ['data without a name', 'data: x\n\n', ['message']],
  ['an event that has not ended', 'event: acesso\ndata: {}\n', []],
])('parses %s', (_, text, names) => {
  expect(heard(text)).toEqual(names)
})

test('parses a stream that is cut at any position', () => {
  const text = ': aberto\n\nevent: acesso\r\ndata: {}\r\n\r\n:\n\nevent: acesso\ndata: {}\n\n'
  expect(heard(...text)).toEqual(['acesso', 'acesso'])
  for (let cut = 0; cut < text.length; cut++)
    expect(heard(text.slice(0, cut), text.slice(cut))).toEqual(['acesso', 'acesso'])
})
