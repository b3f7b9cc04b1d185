import {
  type AuthorAccount,
  councilRegistrationOf,
  encryptContent,
  insertAccesses,
  newBeneficiaryValues,
  reserveIds,
} from '../clinical/index.ts'
import type { Secrets } from '../platform/config/secrets.ts'
import type { Db } from '../platform/db/open-database.ts'
import { dayOf } from '../platform/lib/local-time.ts'
import fictitiousCases from './fictitious-cases.json' with { type: 'json' }
import { fictitiousPeople } from './fictitious-people.ts'

/** Inserts fictitious beneficiaries and their records of the last 12 months. */
export const seedRecords = async (
  tx: Db,
  { secrets, now }: { secrets: Secrets; now: () => Date },
  author: AuthorAccount,
): Promise<void> => {
  const { idUsuario: idAutor, nomeUsuario: autor } = author
  const registroAutor = councilRegistrationOf(author)
  const entries = entriesBefore(now())
  const numbers = await reserveIds(tx, 'beneficiario', fictitiousPeople.length)
  await tx
    .insertInto('beneficiario')
    .values(
      fictitiousPeople.map((data, person) => ({
        ...newBeneficiaryValues(secrets, data, {
          id: numbers[person] ?? 0,
          author,
          now: before(now(), 366 - person),
        }),
        ultimoRegistro: latestDay(entries, person),
      })),
    )
    .execute()
  const ids = await reserveIds(tx, 'prontuario', entries.length)
  const records = entries.map(({ person, mendedAt, ...entry }, index) => ({
    ...entry,
    mendedAt,
    id: ids[index] ?? 0,
    beneficiario: numbers[person] ?? 0,
    versao: mendedAt ? 2 : 1,
  }))
  await tx
    .insertInto('prontuario')
    .values(
      records.map(({ id, beneficiario, versao, content, em, mendedAt }) => ({
        id,
        beneficiario,
        versao,
        conteudo: encryptContent(secrets, content, { id, beneficiario, versao }),
        dataProntuario: dayOf(em),
        idAutor,
        autor,
        registroAutor,
        registradoEm: em,
        ...(mendedAt && {
          idAlteradoPor: idAutor,
          alteradoPor: autor,
          registroAlteradoPor: registroAutor,
          alteradoEm: mendedAt,
        }),
      })),
    )
    .execute()
  await tx
    .insertInto('prontuarioVersao')
    .values(
      records
        .filter(({ mendedAt }) => mendedAt)
        .map(({ id, beneficiario, content, em }) => {
          const first = { ...content, prescricao_beneficiario: firstPrescription }
          const conteudo = encryptContent(secrets, first, { id, beneficiario, versao: 1 })
          return { prontuario: id, versao: 1, conteudo, idAutor, autor, registroAutor, em }
        }),
    )
    .execute()
  await insertAccesses(
    tx,
    secrets,
    records.map(({ id, beneficiario, em: quando }) => ({
      quando,
      idUsuario: idAutor,
      nomeUsuario: autor,
      acao: 'registrado',
      objeto: 'prontuario',
      idObjeto: id,
      beneficiario,
      finalidade: 'atendimento',
      texto: null,
      idRequisicao: null,
    })),
  )
}

/** The prescription of a record before its later correction. */
const firstPrescription = 'Retorno em 60 dias com exames.'

const day = 24 * 3_600_000
const recordCount = 40

/** Oldest first, so that ids and dates rise together. */
const entriesBefore = (now: Date) =>
  Array.from({ length: recordCount }, (_, index) => {
    const daysAgo = Math.round(((recordCount - index) * 362) / recordCount)
    const em = before(now, daysAgo, 9 + (index % 9))
    const [first] = fictitiousCases
    if (!first) throw new Error('There is no fictitious case.')
    return {
      // Some people return, most come once.
      person: index % 3 === 0 ? index % 8 : (index * 5) % fictitiousPeople.length,
      content: fictitiousCases[(index * 7) % fictitiousCases.length] ?? first,
      em,
      mendedAt: index % 13 === 12 ? new Date(em.getTime() + day) : undefined,
    }
  })

/** Returns an hour of the day in São Paulo (UTC-3), `days` days ago. */
const before = (now: Date, days: number, hour = 9): Date => {
  const noon = new Date(`${dayOf(new Date(now.getTime() - days * day))}T12:00:00-03:00`)
  return new Date(noon.getTime() + (hour - 12) * 3_600_000)
}

const latestDay = (entries: ReturnType<typeof entriesBefore>, person: number): string | null => {
  const latest = entries.findLast((entry) => entry.person === person)
  return latest ? dayOf(latest.em) : null
}
