import { dayOf, MONTHS, type Month } from './calendar.ts'
import type { Claim } from './claims.ts'
import { AGE_BANDS, ageBand, OPERADORAS, PLAN_PRICE, PROFILES } from './market.ts'
import { table } from './parquet.ts'
import { ageIn, type Beneficiary, isCovered } from './population.ts'

/** Yearly price adjustment, from May on. */
const READJUSTMENT = 0.089

/**
 * Returns premium revenue by month, operadora, plan, sex, kind of membership and age band. Prices
 * are scaled to each operadora's loss ratio.
 */
export const feesTable = (people: readonly Beneficiary[], claims: readonly Claim[]) => {
  const groups = new Map<string, ReturnType<typeof newFee>>()
  for (const month of MONTHS) {
    for (const person of people) {
      if (!isCovered(month, person)) continue
      const faixa = ageBand(ageIn(month, person))
      const key = [month.index, person.operadora, person.plano, person.sexo, person.titularidade, faixa].join(
        '|',
      )
      const group = groups.get(key) ?? newFee(month, person, faixa)
      group.vidas += 1
      group.receita += listPrice(month, person.plano, faixa)
      groups.set(key, group)
    }
  }
  const rows = [...groups.values()]
  for (const operadora of OPERADORAS) {
    const rowsOfOperadora = rows.filter((row) => row.operadora === operadora)
    const cost = total(claims.filter((claim) => claim.operadora === operadora).map((claim) => claim.valor))
    const scale = cost / PROFILES[operadora].lossRatio / total(rowsOfOperadora.map((row) => row.receita))
    for (const row of rowsOfOperadora) row.receita = Math.round(row.receita * scale * 100) / 100
  }
  const types = { mes: 'DATE', ano: 'INTEGER', vidas: 'INTEGER', receita: 'DECIMAL(14,2)' } as const
  return table('Mensalidades', types, rows)
}

const newFee = (month: Month, person: Beneficiary, faixa_etaria: string) => {
  const { operadora, plano, sexo, titularidade } = person
  const when = { mes: month.firstDay, ano: month.year }
  return { ...when, operadora, plano, sexo, titularidade, faixa_etaria, vidas: 0, receita: 0 }
}

const listPrice = (month: Month, plano: string, faixa: string): number => {
  const band = AGE_BANDS.find((one) => one.label === faixa)?.price ?? 1
  const readjustments = month.year - 2024 + (month.number >= 5 ? 1 : 0)
  return band * (PLAN_PRICE[plano] ?? 1) * (1 + READJUSTMENT) ** readjustments
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/** Returns the beneficiaries, with their age at the end of the period or when they left. */
export const membersTable = (people: readonly Beneficiary[]) => {
  const rows = people.map((person) => {
    const last = MONTHS[person.left ?? MONTHS.length - 1]
    const idade = last ? ageIn(last, person) : 0
    return {
      id_beneficiario: person.id,
      operadora: person.operadora,
      plano: person.plano,
      sexo: person.sexo,
      titularidade: person.titularidade,
      idade,
      faixa_etaria: ageBand(idade),
      cidade: person.place.cidade,
      uf: person.place.uf,
      condicao: person.condicao,
      adesao: firstDayOf(person.joined),
      saida: person.left === undefined ? null : firstDayOf(person.left),
    }
  })
  return table('Beneficiarios', { idade: 'INTEGER', adesao: 'DATE', saida: 'DATE' }, rows)
}

/** Returns the first day of a month, which may be before the period. */
const firstDayOf = (index: number) => dayOf(2024, index + 1, 1)
