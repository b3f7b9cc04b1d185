/** Reads another server's answer up to a limit, so that an endless one cannot exhaust memory. */
export const limitedBytes = async (response: Response, maxBytes: number): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Does the same for text. */
export const limitedText = async (response: Response, maxBytes: number): Promise<string> =>
  (await limitedBytes(response, maxBytes)).toString('utf8')
