import { expect, test } from 'vitest'
import { MAX_SUBSCRIBED_VISUALS, SubscriptionDraft } from './subscriptions.ts'

const visuals = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ nome: `v${n}`, titulo: `V ${n}` }))
const evaluated = (fields: object) => {
  const usual = { assunto: 'Custos', frequencia: 'DIARIA', horario: '07:30', formato: 'XLSX', pagina: 'p1' }
  const { data, error } = SubscriptionDraft.safeParse({ ...usual, ...fields })
  return error ? error.issues.map(({ path, message }) => `${String(path[0])}: ${message}`) : data
}

test.each([
  ['visuals of a page', { visuais: [{ nome: 'por_mes', titulo: 'Custo por mês' }] }],
  ['all visuals of a page', {}],
  ['all visuals of the report', { pagina: null }],
  ['all visuals of a saved view', { pagina: null, idVisao: 3 }],
  ['as many visuals as an export may have', { visuais: visuals(MAX_SUBSCRIBED_VISUALS) }],
])('a spreadsheet has %s', (_, fields) => {
  expect(evaluated(fields)).toMatchObject({ formato: 'XLSX', visuais: [], ...fields })
})

test.each([
  ['in another format', { formato: 'PDF' }, /^visuais: Só uma planilha/],
  ['without a page', { pagina: null }, /^visuais: Os visuais são de uma página/],
  ['of a saved view', { idVisao: 3 }, /^visuais: A página de uma visão salva pode mudar/],
  [
    'twice',
    { visuais: [...visuals(1), ...visuals(1)] },
    /^visuais: Cada visual pode ser escolhido só uma vez/,
  ],
  ['beyond the limit', { visuais: visuals(MAX_SUBSCRIBED_VISUALS + 1) }, /^visuais: Escolha no máximo 50/],
  ['without a title', { visuais: [{ nome: 'a', titulo: ' ' }] }, /^visuais: /],
  ['by an impossible name', { visuais: [{ nome: 'a/b', titulo: 'A' }] }, /^visuais: /],
])('a subscription refuses visuals %s', (_, fields, fault) => {
  expect(evaluated({ visuais: visuals(1), ...fields })).toEqual([expect.stringMatching(fault)])
})
