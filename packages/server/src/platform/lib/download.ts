import type { IncomingMessage } from 'node:http'
import { connectionFault, faultSentence } from './connection-fault.ts'
import { callPublic, PrivateAddress, type PublicCallLimits } from './public-call.ts'

/** Why a file was not downloaded, as a Portuguese sentence without the address. */
export class RefusedDownload extends Error {
  override readonly name = 'RefusedDownload'
  /** Whether the cause may pass within minutes. */
  readonly mayPass: boolean

  constructor(sentence: string, { mayPass = false, cause }: { mayPass?: boolean; cause?: unknown } = {}) {
    super(sentence, { cause })
    this.mayPass = mayPass
  }
}

export interface DownloadLimits extends PublicCallLimits {
  maxBytes: number
  /** Milliseconds for the whole download, redirects included. */
  timeoutMs: number
}

/** Redirects that are followed. */
const MAX_REDIRECTS = 3

/**
 * Downloads a file from an https:// address that a person typed. Each host, also of a redirect, must
 * be in the public Internet or in `privateHosts`; the checked address is the one that is called.
 * @throws RefusedDownload
 */
export const download = async (address: string, limits: DownloadLimits): Promise<Buffer<ArrayBuffer>> => {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  try {
    let url = httpsUrl(address)
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const response = await callPublic(url, limits, { headers }, signal)
      const { location } = response.headers
      if (!isRedirect(response) || !location) return await bytesOf(response, limits.maxBytes)
      response.destroy()
      url = httpsUrl(location, url)
    }
    throw new RefusedDownload('O endereço redireciona vezes demais.')
  } catch (error) {
    throw refusalOf(error, limits, signal)
  }
}

const httpsUrl = (address: string, base?: URL): URL => {
  const url = URL.parse(address, base?.href)
  if (url?.protocol !== 'https:' || url.username || url.password)
    throw new RefusedDownload(
      base
        ? 'O endereço redireciona para um que não é https://.'
        : 'O endereço deve começar com https://, sem usuário nem senha.',
    )
  return url
}

const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode)

export const NOT_PUBLIC =
  'O endereço é de uma rede interna, que o portal não lê: o operador pode liberar o nome em DATA_PRIVATE_HOSTS.'

const headers = {
  accept: 'text/csv, application/vnd.apache.parquet, application/octet-stream, */*;q=0.5',
  'accept-encoding': 'identity',
}

/** The server asks to wait, or failed itself. */
const isBriefStatus = (status = 0): boolean => [408, 425, 429].includes(status) || status >= 500

const bytesOf = async (response: IncomingMessage, maxBytes: number): Promise<Buffer<ArrayBuffer>> => {
  const { statusCode, headers } = response
  const refuse = (sentence: string, mayPass = false): RefusedDownload => {
    response.destroy()
    return new RefusedDownload(sentence, { mayPass })
  }
  if (statusCode !== 200)
    throw refuse(`O endereço respondeu ${statusCode}, e não um arquivo.`, isBriefStatus(statusCode))
  if (!['', 'identity'].includes(headers['content-encoding'] ?? ''))
    throw refuse('O endereço enviou o arquivo comprimido, o que não foi pedido.')
  const tooLarge = `O arquivo passa do limite de ${Math.floor(maxBytes / 1024 / 1024)} MB.`
  if (Number(headers['content-length']) > maxBytes) throw refuse(tooLarge)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) throw refuse(tooLarge)
    chunks.push(chunk)
  }
  if (!response.complete) throw refuse('A conexão terminou no meio do arquivo.', true)
  return Buffer.concat(chunks)
}

/** Maps any error to a sentence; none of them contains the address, which may have a key. */
const refusalOf = (error: unknown, { timeoutMs }: DownloadLimits, signal: AbortSignal): RefusedDownload => {
  if (error instanceof RefusedDownload) return error
  if (error instanceof PrivateAddress) return new RefusedDownload(NOT_PUBLIC)
  const say = (sentence: string) => new RefusedDownload(sentence, { cause: error, mayPass: true })
  if (signal.aborted) return say(`O endereço não enviou o arquivo em ${timeoutMs / 1000} segundos.`)
  const fault = connectionFault(error)
  if (fault) return say(`${faultSentence(fault, 'do endereço')}.`)
  const code = (error as NodeJS.ErrnoException).code ?? 'sem código'
  if (code === 'ENOTFOUND') return say('O nome do endereço não existe.')
  return say(`O endereço não pôde ser lido (${code}).`)
}
