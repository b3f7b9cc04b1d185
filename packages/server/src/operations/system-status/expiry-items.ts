import type { ExpiryStatus, SystemStatus } from '@bi-manager/contract'
import { faultSentence } from '../../platform/lib/connection-fault.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { daysUntil, dayText } from '../../platform/lib/local-time.ts'
import type { Expiry } from './expiry-dates.ts'
import { byUrgency, type Item, worstOf } from './item.ts'
import { stages } from './secret-stages.ts'

const day = 24 * 3_600_000

/** Certificates are often renewed 30 days before, by themselves; a secret needs a person. */
const daysBefore: Record<Expiry['kind'], number> = { certificate: 14, secret: stages[0] }

/** Returns whether an administrator must act. */
export const isExpiring = ({ expiresAt, kind }: Pick<Expiry, 'expiresAt' | 'kind'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt.getTime() - now.getTime() < daysBefore[kind] * day

interface Texts {
  unknown: (expiry: Expiry) => string
  act: (expiry: Expiry) => string
  /** Texts of the summary: without any expiry, and with one or many that need action. */
  none: string
  one: string
  many: string
  /** Texts of the summary: when there is no date at all, and when all dates are far away. */
  noDate: string
  far: (undated: number) => string
}

const certificateTexts: Texts = {
  unknown: ({ place }) =>
    `O portal não conseguiu ler o certificado de ${place} em 3 segundos: confira-o em um navegador.`,
  act: ({ place }) => `renove o certificado de ${place}.`,
  none: 'Nenhum endereço da configuração usa TLS: em produção, publique o portal em https.',
  one: 'certificado precisa de atenção',
  many: 'certificados precisam de atenção',
  noDate: 'Não foi possível verificar.',
  far: () => `Nada vence nos próximos ${daysBefore.certificate} dias.`,
}
const noSecret =
  'Nenhum segredo com validade conhecida: preencha “Validade do segredo” no cadastro de cada Powerbi.'
const secretTexts: Texts = {
  unknown: () =>
    'Sem data de validade: informe-a no cadastro do Powerbi, ou permita a leitura no Microsoft Graph.',
  act: ({ path, source }) =>
    path
      ? 'crie outro segredo no provedor e troque-o no cadastro do Powerbi.'
      : `crie outro segredo no provedor e troque ${source} na configuração.`,
  none: noSecret,
  one: 'segredo precisa de atenção',
  many: 'segredos precisam de atenção',
  noDate: noSecret,
  far: (undated) =>
    undated === 0
      ? `Nada vence nos próximos ${daysBefore.secret} dias.`
      : `Nada vence nos próximos ${daysBefore.secret} dias; ${countText(undated, 'segredo está', 'segredos estão')} sem data.`,
}

const itemOf =
  (texts: Texts) =>
  (found: Expiry[], now: Date): SystemStatus['certificados' | 'segredos'] => {
    const lista = found.map(
      (expiry): ExpiryStatus => ({
        ...evaluate(expiry, now, texts),
        nome: expiry.name,
        origem: expiry.source,
        rota: expiry.path ?? null,
        venceEm: expiry.expiresAt?.toISOString() ?? null,
      }),
    )
    return { ...summaryOf(lista, texts), lista: lista.sort(byUrgency) }
  }

export const certificatesItem = itemOf(certificateTexts)
export const secretsItem = itemOf(secretTexts)

const evaluate = (expiry: Expiry, now: Date, texts: Texts): Item => {
  const { expiresAt, fault, place } = expiry
  if (!expiresAt) return { estado: 'desconhecido', frase: texts.unknown(expiry) }
  const until = dayText(expiresAt)
  if (expiresAt <= now) return { estado: 'falha', frase: `Venceu em ${until}: ${texts.act(expiry)}` }
  if (fault) return { estado: 'falha', frase: `${faultSentence(fault, `de ${place}`)}.` }
  if (!isExpiring(expiry, now)) {
    return { estado: 'ok', frase: `Vale até ${until}${expiry.isRead ? ', lido do Microsoft Entra' : ''}.` }
  }
  const left = daysUntil(expiresAt, now)
  const when = left === 0 ? 'hoje' : `em ${countText(left, 'dia', 'dias')}`
  return { estado: 'atencao', frase: `Vence ${when} (${until}): ${texts.act(expiry)}` }
}

const summaryOf = (lista: Item[], { none, one, many, noDate, far }: Texts): Item => {
  if (lista.length === 0) return { estado: 'desconhecido', frase: none }
  const estado = worstOf(lista)
  const faulty = lista.filter((item) => item.estado === 'falha' || item.estado === 'atencao').length
  if (faulty > 0) return { estado, frase: `${countText(faulty, one, many)}.` }
  const undated = lista.filter((item) => item.estado === 'desconhecido').length
  return { estado, frase: estado === 'ok' ? far(undated) : noDate }
}
