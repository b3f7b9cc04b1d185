import type { Incident, ListQuery } from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ListPage, listPage } from '../../platform/db/queries/list-page.ts'
import type { Tables } from '../../platform/db/types.ts'
import { decryptJson, encryptJson, isPlaceholder, type Placeholder } from '../health-data/encrypted-json.ts'
import { incidentContext } from '../health-data/encryption-contexts.ts'
import { reserveId } from '../health-data/row-numbers.ts'
import { reportingDeadline } from './incident.rules.ts'

type Row = Selectable<Tables['incidente']>

/** The texts of an incident, which are encrypted. */
type Texts = Pick<Incident, 'titulo' | 'descricao' | 'dados_afetados' | 'medidas' | 'motivo_sem_comunicacao'>

/** All fields that an author writes. */
export type IncidentFields = Omit<
  Incident,
  'id' | 'prazo' | 'fora_do_prazo' | 'registrado_por' | 'idAutor' | 'registrado_em' | 'versao'
>

interface Reading {
  secrets: Secrets
  now: Date
}

export const listIncidents = async (
  db: Db,
  reading: Reading,
  query: Pick<ListQuery, 'pagina' | 'tamanho'>,
): Promise<ListPage<Incident>> => {
  const page = await listPage(db, db.selectFrom('incidente').selectAll(), {
    query,
    orders: { conhecidoEm: ['conhecidoEm', 'id'] },
    byDefault: '-conhecidoEm',
  })
  return { ...page, rows: page.rows.map((row) => incidentOf(row, reading)) }
}

export const findIncident = async (db: Db, reading: Reading, id: number): Promise<Incident | undefined> => {
  const row = await db.selectFrom('incidente').selectAll().where('id', '=', id).executeTakeFirst()
  return row && incidentOf(row, reading)
}

export const insertIncident = async (
  tx: Db,
  reading: Reading,
  fields: IncidentFields,
  { idUsuario, nomeUsuario }: { idUsuario: number; nomeUsuario: string },
): Promise<Incident> => {
  const id = await reserveId(tx, 'incidente')
  const row = await tx
    .insertInto('incidente')
    .values({
      id,
      ...valuesOf(reading.secrets, fields, { id, versao: 1 }),
      idAutor: idUsuario,
      autor: nomeUsuario,
      registradoEm: reading.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return incidentOf(row, reading)
}

/** The caller must hold a lock of the row. */
export const updateIncident = async (
  tx: Db,
  reading: Reading,
  { id, versao: standing }: Pick<Incident, 'id' | 'versao'>,
  fields: IncidentFields,
): Promise<Incident> => {
  const versao = standing + 1
  const row = await tx
    .updateTable('incidente')
    .set({ ...valuesOf(reading.secrets, fields, { id, versao }), versao })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return incidentOf(row, reading)
}

const valuesOf = (secrets: Secrets, fields: IncidentFields, row: { id: number; versao: number }) => ({
  conteudo: encryptJson(
    secrets,
    {
      titulo: fields.titulo,
      descricao: fields.descricao,
      dados_afetados: fields.dados_afetados,
      medidas: fields.medidas,
      motivo_sem_comunicacao: fields.motivo_sem_comunicacao,
    } satisfies Texts,
    incidentContext(row),
  ),
  conhecidoEm: new Date(fields.conhecido_em),
  ocorridoEm: dateOf(fields.ocorrido_em),
  titularesAfetados: fields.titulares_afetados,
  gravidade: fields.gravidade,
  exigeComunicacao: fields.exige_comunicacao,
  comunicadoAnpdEm: dateOf(fields.comunicado_anpd_em),
  comunicadoTitularesEm: dateOf(fields.comunicado_titulares_em),
  encerradoEm: dateOf(fields.encerrado_em),
})

const incidentOf = (row: Row, { secrets, now }: Reading): Incident => {
  const times = {
    conhecido_em: row.conhecidoEm.toISOString(),
    exige_comunicacao: row.exigeComunicacao,
    comunicado_anpd_em: textOf(row.comunicadoAnpdEm),
    comunicado_titulares_em: textOf(row.comunicadoTitularesEm),
  }
  const texts = decryptJson<Texts>(secrets, row.conteudo, incidentContext(row))
  return {
    id: row.id,
    ...(isPlaceholder(texts) ? noTexts(texts) : texts),
    ...times,
    ocorrido_em: textOf(row.ocorridoEm),
    titulares_afetados: row.titularesAfetados,
    gravidade: row.gravidade,
    encerrado_em: textOf(row.encerradoEm),
    ...reportingDeadline(times, now),
    registrado_por: row.autor,
    idAutor: row.idAutor,
    registrado_em: row.registradoEm.toISOString(),
    versao: row.versao,
  }
}

const noTexts = (instead: Placeholder): Texts => ({
  titulo: instead,
  descricao: instead,
  dados_afetados: instead,
  medidas: null,
  motivo_sem_comunicacao: null,
})

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text))
const textOf = (date: Date | null): string | null => date?.toISOString() ?? null
