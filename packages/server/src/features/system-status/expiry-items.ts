import type { ExpiryStatus, SystemStatus } from '@bi-manager/contract'
import type { Expiry } from './expiry-dates.ts'
import { byUrgency, countText, dayText, type Item, worstOf } from './item.ts'

const day = 24 * 3_600_000

/** Returns whether an administrator must act. */
export const isExpiring = ({ expiresAt }: Pick<Expiry, 'expiresAt'>, now: Date): boolean =>
  expiresAt !== undefined && expiresAt.getTime() - now.getTime() < 14 * day

export const certificatesItem = (found: Expiry[], now: Date): SystemStatus['certificados'] => {
  const lista = found.map((expiry) => itemOf(expiry, judge(expiry, now, certificateTexts)))
  return { ...summaryOf(lista, certificateSummary), lista: lista.sort(byUrgency) }
}

export const secretsItem = (found: Expiry[], now: Date): SystemStatus['segredos'] => {
  const lista = found.map((expiry) => itemOf(expiry, judge(expiry, now, secretTexts)))
  return { ...summaryOf(lista, secretSummary), lista: lista.sort(byUrgency) }
}

interface Texts {
  unknown: (expiry: Expiry) => string
  act: (expiry: Expiry) => string
}

const certificateTexts: Texts = {
  unknown: ({ place }) =>
    `O portal não conseguiu ler o certificado de ${place} em 3 segundos: confira-o em um navegador.`,
  act: ({ place }) => `renove o certificado de ${place}.`,
}
const secretTexts: Texts = {
  unknown: () => 'Sem data de validade.',
  act: ({ path, source }) =>
    path
      ? 'crie outro segredo no provedor e troque-o no cadastro do Powerbi.'
      : `crie outro segredo no provedor e troque ${source} na configuração.`,
}

const judge = (expiry: Expiry, now: Date, texts: Texts): Item => {
  const { expiresAt } = expiry
  if (!expiresAt) return { estado: 'desconhecido', frase: texts.unknown(expiry) }
  const until = dayText(expiresAt)
  if (expiresAt <= now) return { estado: 'falha', frase: `Venceu em ${until}: ${texts.act(expiry)}` }
  if (!isExpiring(expiry, now)) return { estado: 'ok', frase: `Vale até ${until}.` }
  const left = Math.floor((expiresAt.getTime() - now.getTime()) / day)
  const when = left === 0 ? 'em menos de um dia' : `em ${countText(left, 'dia', 'dias')}`
  return { estado: 'atencao', frase: `Vence ${when} (${until}): ${texts.act(expiry)}` }
}

const itemOf = ({ name, source, path, expiresAt }: Expiry, item: Item): ExpiryStatus => ({
  ...item,
  nome: name,
  origem: source,
  rota: path ?? null,
  venceEm: expiresAt?.toISOString() ?? null,
})

interface Summary {
  none: string
  one: string
  many: string
}

const certificateSummary: Summary = {
  none: 'Nenhum endereço da configuração usa TLS: em produção, publique o portal em https.',
  one: 'certificado precisa de atenção',
  many: 'certificados precisam de atenção',
}
const secretSummary: Summary = {
  none: 'Nenhum segredo com validade informada: preencha “Validade do segredo” no cadastro de cada Powerbi.',
  one: 'segredo precisa de atenção',
  many: 'segredos precisam de atenção',
}

const summaryOf = (lista: Item[], { none, one, many }: Summary): Item => {
  if (lista.length === 0) return { estado: 'desconhecido', frase: none }
  const estado = worstOf(lista)
  const faulty = lista.filter((item) => item.estado === 'falha' || item.estado === 'atencao').length
  if (faulty > 0) return { estado, frase: `${countText(faulty, one, many)}.` }
  return {
    estado,
    frase: estado === 'ok' ? 'Nada vence nos próximos 14 dias.' : 'Não foi possível verificar.',
  }
}
