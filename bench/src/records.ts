import { listAttachments } from '@bi-manager/server/clinical/attachments/attachments.repository'
import { listRecords } from '@bi-manager/server/clinical/medical-records/medical-records.repository'
import type { Db } from '@bi-manager/server/platform/db/open-database'
import type { TestApp } from '@bi-manager/server/test/test-app'
import { compareSites, type SiteCall, type SiteOf } from './compare-sites.ts'
import { fillRecords, type RecordsSize } from './data/records-data.ts'

const small: RecordsSize = { records: 100, attachments: 100, beneficiaries: 8, ofOne: 10, ofMany: 10 }
const large: RecordsSize = {
  records: 1_000_000,
  attachments: 100_000,
  beneficiaries: 100_000,
  ofOne: 10,
  ofMany: 2_000,
}

type Site = SiteOf<Awaited<ReturnType<typeof fill>>>

const fill = async (app: TestApp, size: RecordsSize) => {
  const { clinician, one, many } = await fillRecords(app, size)
  const { token } = await app.as(clinician)
  return { token, one, many }
}

const get = (path: (site: Site) => string) => async (site: Site) => answerOf(site, path(site))

const answerOf = async ({ origin, token }: Site, path: string, body?: object): Promise<unknown> => {
  const response = await fetch(`${origin}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      'x-finalidade': 'Atendimento',
      'accept-encoding': 'identity',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

/** Returns a past date as dd/mm/aaaa. */
const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toLocaleDateString('pt-BR', { timeZone: 'UTC' })

/** Calls as the panel does: find the beneficiary by id, then list their records. */
const ofBeneficiary = (id: string, list: string) => async (site: Site) => {
  const found = (await answerOf(site, '/beneficiarios/busca', { texto: id })) as { id: number }[]
  return answerOf(site, `${list}?pagina=1&beneficiario=${found[0]?.id}`)
}

const calls: SiteCall<Site>[] = [
  { name: 'records, first page', send: get(() => '/prontuarios?pagina=1') },
  { name: 'records, second page of 50', send: get(() => '/prontuarios?pagina=2&tamanho=50') },
  {
    name: 'records, one day four years ago',
    send: get(() => `/prontuarios?pagina=1&de=${daysAgo(1460)}&ate=${daysAgo(1460)}`),
  },
  {
    name: 'records, four of the five years',
    send: get(() => `/prontuarios?pagina=1&de=${daysAgo(1700)}&ate=${daysAgo(240)}`),
  },
  { name: 'records, a period without any', send: get(() => '/prontuarios?pagina=1&ate=01/01/1990') },
  {
    name: 'beneficiary by id',
    send: (site) => answerOf(site, '/beneficiarios/busca', { texto: 'medida-1' }),
  },
  {
    name: 'beneficiary by full name',
    send: (site) => answerOf(site, '/beneficiarios/busca', { texto: 'PESSOA MEDIDA' }),
  },
  { name: 'beneficiary by id, then their records (10)', send: ofBeneficiary('medida-1', '/prontuarios') },
  { name: 'the same, of one with 2,000 (small: 10)', send: ofBeneficiary('medida-2', '/prontuarios') },
  {
    name: 'records of that one, a period',
    send: get(
      ({ many }) => `/prontuarios?pagina=1&beneficiario=${many.id}&de=${daysAgo(900)}&ate=${daysAgo(400)}`,
    ),
  },
  { name: 'attachments, first page', send: get(() => '/anexos?pagina=1') },
  { name: 'attachments, PDF (one in five)', send: get(() => '/anexos?pagina=1&busca=pdf') },
  { name: 'attachments, IMG', send: get(() => '/anexos?pagina=1&busca=img') },
  { name: 'beneficiary by id, then their attachments (10)', send: ofBeneficiary('medida-1', '/anexos') },
]

/**
 * Prints how much longer each list and search takes with 1,000,000 records and 100,000 attachments
 * than with 100 of each.
 */
export const benchRecords = (): Promise<void> =>
  compareSites({
    title: 'Records',
    small,
    large,
    fill,
    calls,
    named: ['records', 'attachments', 'beneficiaries'],
    plansOf: ({ app: { services }, one, many }) => {
      const list = (query: object) => (db: Db) => listRecords(db, services.secrets, { pagina: 1, ...query })
      return {
        'records, first page': list({}),
        'records, a wide period': list({ de: daysAgo(1700), ate: daysAgo(240) }),
        'records of one': list({ beneficiario: one.id }),
        'records of one with many': list({ beneficiario: many.id }),
        'attachments, PDF': (db) => listAttachments(db, { pagina: 1, busca: 'pdf' }),
      }
    },
  })
