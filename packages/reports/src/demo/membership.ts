import { MONTHS, type Month } from './calendar.ts'
import type { Claim } from './claims.ts'
import { AGE_BANDS, ageBand, OPERADORAS, type Operadora, PLAN_PRICE, PROFILES } from './market.ts'
import type { Table } from './parquet.ts'
import { ageIn, type Beneficiary, isCovered } from './population.ts'

interface Fee {
  mes: number
  ano: number
  operadora: Operadora
  plano: string
  sexo: string
  titularidade: string
  faixa_etaria: string
  vidas: number
  receita: number
}

/** Yearly price adjustment, from May on. */
const READJUSTMENT = 0.089

/** Returns premium revenue by month and profile; prices match each operadora's loss ratio. */
export function feesTable(people: readonly Beneficiary[], claims: readonly Claim[]): Table<Fee> {
  const groups = new Map<string, Fee>()
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
    const own = rows.filter((row) => row.operadora === operadora)
    const cost = total(claims.filter((claim) => claim.operadora === operadora).map((claim) => claim.valor))
    const scale = cost / PROFILES[operadora].lossRatio / total(own.map((row) => row.receita))
    for (const row of own) row.receita = Math.round(row.receita * scale * 100) / 100
  }
  return {
    name: 'Mensalidades',
    columns: {
      mes: 'DATE',
      ano: 'INTEGER',
      operadora: 'VARCHAR',
      plano: 'VARCHAR',
      sexo: 'VARCHAR',
      titularidade: 'VARCHAR',
      faixa_etaria: 'VARCHAR',
      vidas: 'INTEGER',
      receita: 'DECIMAL(14,2)',
    },
    rows,
  }
}

function newFee(month: Month, person: Beneficiary, faixa_etaria: string): Fee {
  const { operadora, plano, sexo, titularidade } = person
  const when = { mes: month.firstDay, ano: month.year }
  return { ...when, operadora, plano, sexo, titularidade, faixa_etaria, vidas: 0, receita: 0 }
}

function listPrice(month: Month, plano: string, faixa: string): number {
  const band = AGE_BANDS.find((one) => one.label === faixa)?.price ?? 1
  const readjustments = month.year - 2024 + (month.number >= 5 ? 1 : 0)
  return band * (PLAN_PRICE[plano] ?? 1) * (1 + READJUSTMENT) ** readjustments
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

interface Member {
  id_beneficiario: string
  operadora: Operadora
  plano: string
  sexo: string
  titularidade: string
  idade: number
  faixa_etaria: string
  cidade: string
  uf: string
  condicao: string
  adesao: number
  saida: number | null
}

/** Returns the beneficiaries, with their age at the end of the period or when they left. */
export function membersTable(people: readonly Beneficiary[]): Table<Member> {
  return {
    name: 'Beneficiarios',
    columns: {
      id_beneficiario: 'VARCHAR',
      operadora: 'VARCHAR',
      plano: 'VARCHAR',
      sexo: 'VARCHAR',
      titularidade: 'VARCHAR',
      idade: 'INTEGER',
      faixa_etaria: 'VARCHAR',
      cidade: 'VARCHAR',
      uf: 'VARCHAR',
      condicao: 'VARCHAR',
      adesao: 'DATE',
      saida: 'DATE',
    },
    rows: people.map((person) => {
      const last = MONTHS[Math.min(person.left ?? MONTHS.length - 1, MONTHS.length - 1)] ?? firstMonth
      const idade = ageIn(last, person)
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
    }),
  }
}

const firstMonth: Month = { index: 0, year: 2024, number: 1, firstDay: 19_723, days: 31 }

/** Returns the first day of a month, which may be before the period. */
function firstDayOf(index: number): number {
  return Math.floor(Date.UTC(2024, index, 1) / 86_400_000)
}
