import { expect, test } from 'vitest'
import { ownTimes, type Recurrence, recurrenceText } from './calls/recurrence.ts'
import type { z } from './calls/zod.ts'
import { CapacityDraft } from './connections/capacities.ts'
import { AlertDraft } from './distribution/alerts.ts'
import { SubscriptionDraft } from './distribution/subscriptions.ts'
import { DataScheduleDraft } from './publishing/data-schedules.ts'

const drafts = {
  subscription: [SubscriptionDraft, { assunto: 'Custos', frequencia: 'DIARIA', formato: 'PDF' }, 'horario'],
  alert: [
    AlertDraft,
    {
      nomeAlerta: 'Custo',
      pagina: 'p',
      visual: 'v',
      coluna: 'c',
      condicao: 'ACIMA',
      limite: 1,
      frequencia: 'DIARIA',
    },
    'horario',
  ],
  data: [
    DataScheduleDraft,
    { origem: 'PASTA', endereco: 'a.csv', tabela: 'T', frequencia: 'DIA', ativa: true },
    'horario',
  ],
  capacity: [
    CapacityDraft,
    {
      nome: 'C',
      idPowerBi: 1,
      recurso: `/subscriptions/${'0'.repeat(36)}/resourceGroups/r/providers/Microsoft.Fabric/capacities/cap`,
    },
    'iniciaAs',
  ],
} satisfies Record<string, [z.ZodType, object, string]>
type Sibling = keyof typeof drafts

const faultsOf = (sibling: Sibling, fields: object): string[] => {
  const [schema, draft] = drafts[sibling]
  const { error } = schema.safeParse({ ...draft, ...fields })
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

const siblings = Object.keys(drafts) as Sibling[]
const noTime = 'Informe um horário, como 07:30.'

test.each(siblings)('the draft of %s takes each time of the day, and no other', (sibling) => {
  const field = drafts[sibling][2]
  for (const time of ['00:00', '07:30', '23:59']) expect(faultsOf(sibling, { [field]: time })).toEqual([])
  for (const time of ['24:00', '7:30', '07:60', ' 07:30', '07:30:00'])
    expect(faultsOf(sibling, { [field]: time })).toEqual([`${field}: ${noTime}`])
})

test.each<[Sibling, object, string[]]>([
  ['subscription', { horario: '' }, [`horario: ${noTime}`]],
  ['subscription', { horario: '07:30', frequencia: 'SEMANAL' }, ['diaSemana: Escolha o dia da semana.']],
  ['subscription', { horario: '07:30', frequencia: 'MENSAL' }, ['diaMes: Escolha o dia do mês.']],
  ['subscription', { frequencia: 'ATUALIZACAO' }, []],
  ['subscription', { horario: '07:30', fuso: 'America/Nowhere' }, ['fuso: Este fuso horário não existe.']],
  ['alert', {}, [`horario: ${noTime}`]],
  ['alert', { frequencia: 'DIAS_UTEIS', horario: '' }, [`horario: ${noTime}`]],
  ['alert', { frequencia: 'HORA' }, []],
  ['alert', { frequencia: 'ATUALIZACAO' }, []],
  ['alert', { horario: '07:30', fuso: 'America/Nowhere' }, ['fuso: Este fuso horário não existe.']],
  ['data', { horario: '', frequencia: 'HORA' }, [`horario: ${noTime}`]],
  ['capacity', { iniciaAs: '', pausaAs: null }, []],
  ['capacity', { pausaAs: '24:00' }, [`pausaAs: ${noTime}`]],
])('the draft of %s with %j has these faults', (sibling, fields, faults) => {
  expect(faultsOf(sibling, fields)).toEqual(faults)
})

test.each<[Sibling, object, string[]]>([
  ['subscription', { horario: '24:00', frequencia: 'SEMANAL' }, ['horario', 'diaSemana']],
  ['subscription', { horario: '24:00', formato: 'PNG' }, ['horario', 'pagina']],
  ['alert', { horario: '24:00', limite: null }, ['horario', 'limite']],
])('the draft of %s with %j names missing fields together with wrong ones', (sibling, fields, faults) => {
  expect(faultsOf(sibling, fields).map((fault) => fault.split(':')[0])).toEqual(faults)
})

const daily: Recurrence = { frequencia: 'DIARIA', horario: '07:30', fuso: 'America/Sao_Paulo' }

test.each<[Recurrence, string]>([
  [daily, 'Todo dia às 07:30'],
  [{ ...daily, fuso: 'America/Manaus' }, 'Todo dia às 07:30, horário de Manaus'],
  [{ ...daily, frequencia: 'DIAS_UTEIS' }, 'De segunda a sexta às 07:30'],
  [{ ...daily, frequencia: 'SEMANAL', diaSemana: 'segunda' }, 'Toda segunda-feira às 07:30'],
  [{ ...daily, frequencia: 'SEMANAL', diaSemana: 'sabado' }, 'Todo sábado às 07:30'],
  [{ ...daily, frequencia: 'MENSAL', diaMes: 'PRIMEIRO_UTIL' }, 'No primeiro dia útil do mês às 07:30'],
  [{ ...daily, frequencia: 'MENSAL', diaMes: 'ULTIMO_UTIL' }, 'No último dia útil do mês às 07:30'],
  [{ ...daily, frequencia: 'HORA' }, 'De hora em hora'],
  [{ ...daily, frequencia: 'ATUALIZACAO' }, 'Depois de cada atualização dos dados'],
])('the text says when it runs: %#', (recurrence, text) => {
  expect(recurrenceText(recurrence)).toBe(text)
})

test('ownTimes drops the fields of other frequencies', () => {
  const all = { horario: '07:30', diaSemana: 'sexta', diaMes: 'ULTIMO_UTIL' } as const
  const kept = (frequencia: Recurrence['frequencia']) =>
    Object.entries(ownTimes({ ...all, frequencia })).flatMap(([name, value]) => (value ? [name] : []))
  expect(kept('HORA')).toEqual(['frequencia'])
  expect(kept('ATUALIZACAO')).toEqual(['frequencia'])
  expect(kept('DIAS_UTEIS').toSorted()).toEqual(['frequencia', 'horario'])
  expect(kept('SEMANAL').toSorted()).toEqual(['diaSemana', 'frequencia', 'horario'])
  expect(kept('MENSAL').toSorted()).toEqual(['diaMes', 'frequencia', 'horario'])
})
