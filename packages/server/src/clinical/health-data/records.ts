import {
  type Beneficiary,
  brazilianDayOf,
  type MedicalRecord,
  type MedicalRecordVersion,
} from '@bi-manager/contract'
import type { Selectable } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Archiving } from '../../platform/db/tables/clinical-tables.ts'
import type { Tables } from '../../platform/db/types.ts'
import { decryptContent } from './record-content.ts'

type Row = Omit<Selectable<Tables['prontuario']>, keyof Archiving>

/** @param person the record's beneficiary, with current name and plan id */
export const decryptRecord = (
  secrets: Secrets,
  row: Row,
  { nome_beneficiario, id_beneficiario }: Pick<Beneficiary, 'nome_beneficiario' | 'id_beneficiario'>,
): MedicalRecord => ({
  id: row.id,
  nome_beneficiario,
  id_beneficiario,
  ...decryptContent(secrets, row.conteudo, row),
  data_prontuario: brazilianDayOf(row.dataProntuario),
  registrado_em: row.registradoEm.toISOString(),
  beneficiario: row.beneficiario,
  registrado_por: row.autor,
  idAutor: row.idAutor,
  registroAutor: row.registroAutor,
  alterado_por: row.alteradoPor,
  idAlteradoPor: row.idAlteradoPor,
  registroAlteradoPor: row.registroAlteradoPor,
  alterado_em: row.alteradoEm?.toISOString() ?? null,
  versao: row.versao,
})

/** Decrypts a version. @param record the record that it belongs to */
export const decryptVersion = (
  secrets: Secrets,
  { id, beneficiario }: Pick<Row, 'id' | 'beneficiario'>,
  version: Omit<Selectable<Tables['prontuarioVersao']>, 'id' | 'prontuario'>,
): MedicalRecordVersion => ({
  ...decryptContent(secrets, version.conteudo, { id, beneficiario, versao: version.versao }),
  versao: version.versao,
  autor: version.autor,
  idAutor: version.idAutor,
  registroAutor: version.registroAutor,
  em: version.em.toISOString(),
})
