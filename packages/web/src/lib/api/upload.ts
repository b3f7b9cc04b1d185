import type { Endpoint, Input, Output } from '@bi-manager/contract'
import { callWithTransport } from './api.ts'
import { observeCall } from './connection.ts'
import { NetworkError } from './errors.ts'

interface UploadOptions {
  signal?: AbortSignal
  /** Called with the sent fraction, 0 to 1; at 1 the server is processing the request. */
  onProgress?: (sent: number) => void
}

/**
 * Calls a multipart/form-data endpoint like `call` and reports the upload's progress.
 * @throws ApiProblem when the server refuses; NetworkError when it is unreachable; AbortError
 */
export const upload = <E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { signal, onProgress }: UploadOptions = {},
): Promise<Output<E>> => {
  const send = callWithTransport((url, init) => sendForm(String(url), init ?? {}, onProgress))
  return send(endpoint, input, signal ? { signal } : {})
}

/** fetch for forms through XMLHttpRequest, because fetch does not report upload progress. */
const sendForm = (
  url: string,
  { method = 'POST', headers, body, signal }: RequestInit,
  onProgress: UploadOptions['onProgress'],
): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.responseType = 'arraybuffer'
    // The browser sets the content type with the form's boundary.
    new Headers(headers).forEach((value, name) => {
      request.setRequestHeader(name, value)
    })
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(Math.min(loaded / total, 1))
    }
    request.upload.onload = () => onProgress?.(1)
    request.onload = () => {
      const response = responseOf(request)
      reportResponse(response)
      resolve(response)
    }
    request.onerror = () => {
      reportResponse(undefined)
      reject(new NetworkError('The form could not be sent.'))
    }
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    const reportResponse = observeCall()
    request.send(body as FormData)
  })

const responseOf = (request: XMLHttpRequest): Response => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split('\r\n')) {
    const [name = '', ...value] = line.split(': ')
    if (name) headers.append(name, value.join(': '))
  }
  // The Response constructor refuses a body for these statuses.
  const isBare = request.status === 204 || request.status === 304
  return new Response(isBare ? null : request.response, { status: request.status, headers })
}
