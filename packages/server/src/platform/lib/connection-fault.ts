interface CertificateFault {
  code: string
  /** OpenSSL's text, for errors that repeat the message without the code. */
  message?: RegExp
  /** What is wrong, and what to do. */
  frase: string
}

const trustIt = 'informe o certificado dela em NODE_EXTRA_CA_CERTS e reinicie o portal'
const unknownAuthority = `foi emitido por uma autoridade que o portal não conhece: ${trustIt}`

/** Node's codes of a refused certificate. */
const certificateFaults: CertificateFault[] = [
  {
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    message: /self-signed certificate(?! in certificate chain)/,
    frase:
      'é autoassinado: instale lá um de uma autoridade, ou informe esse em NODE_EXTRA_CA_CERTS e reinicie o portal',
  },
  {
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    message: /self-signed certificate in certificate chain/,
    frase: unknownAuthority,
  },
  {
    code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    message: /unable to get local issuer certificate/,
    frase: unknownAuthority,
  },
  { code: 'UNABLE_TO_GET_ISSUER_CERT', message: /unable to get issuer certificate/, frase: unknownAuthority },
  {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    message: /unable to verify the first certificate/,
    frase: `${unknownAuthority}; se ela é pública, instale lá também o certificado intermediário`,
  },
  {
    code: 'CERT_HAS_EXPIRED',
    message: /certificate has expired/,
    frase: 'está vencido: renove-o, e confira o relógio deste servidor',
  },
  {
    code: 'CERT_NOT_YET_VALID',
    message: /certificate is not yet valid/,
    frase: 'ainda não vale: confira o relógio deste servidor e as datas do certificado',
  },
  {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    message: /does not match certificate's altnames/,
    frase: 'é de outro nome: confira o endereço na configuração, ou instale lá um certificado com esse nome',
  },
  ...[
    'CERT_CHAIN_TOO_LONG',
    'CERT_REJECTED',
    'CERT_REVOKED',
    'CERT_SIGNATURE_FAILURE',
    'CERT_UNTRUSTED',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
  ].map((code) => ({ code, frase: `foi recusado (${code}): troque-o por um que valha para servidores` })),
]

const proxyRefusal = /Proxy response \((\d+)\)|Invalid response from proxy: (\d+)/

/**
 * Returns the code of the fault when a refused certificate or the proxy stopped the connection:
 * Node's code of the certificate, or `PROXY_407` with the proxy's status.
 * @param error an error of fetch, Node's TLS or nodemailer; its causes are searched too
 */
export const connectionFault = (error: unknown): string | undefined => {
  for (let at = error, depth = 0; at && depth < 8; at = (at as Error).cause, depth += 1) {
    const { code, originalCode, message = '' } = at as Error & { code?: unknown; originalCode?: unknown }
    const certificate = certificateFaults.find(
      (fault) => fault.code === code || fault.code === originalCode || fault.message?.test(message),
    )
    if (certificate) return certificate.code
    const refusal = proxyRefusal.exec(message)
    if (refusal) return `PROXY_${refusal[1] ?? refusal[2]}`
  }
  return undefined
}

export const isProxyFault = (fault: string): boolean => fault.startsWith('PROXY_')

/** Returns whether a text is a code that `connectionFault` returns. */
export const isFault = (code: string): boolean =>
  isProxyFault(code) || certificateFaults.some((fault) => fault.code === code)

/**
 * Returns one Portuguese sentence, without the final full stop: what is wrong, and what to do.
 * @param of the server with its preposition: `do servidor de e-mail`
 */
export const faultSentence = (fault: string, of: string): string => {
  const certificate = certificateFaults.find(({ code }) => code === fault)
  if (certificate) return `O certificado ${of} ${certificate.frase}`
  const [, status] = fault.split('_')
  return status === '407'
    ? 'O proxy de saída recusou o usuário ou a senha (407): confira HTTPS_PROXY'
    : `O proxy de saída não abriu a conexão (${status}): peça a liberação do endereço a quem cuida dele, ou liste-o em NO_PROXY`
}
