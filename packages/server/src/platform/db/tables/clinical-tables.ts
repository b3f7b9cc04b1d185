import type { AccessAction, AccessObject, PurposeCode } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Sealed } from '../../config/secrets.ts'

export type Timestamp = ColumnType<Date, Date, Date>

export interface Archiving {
  idArquivadoPor: number | null
  arquivadoPor: string | null
  arquivadoEm: Timestamp | null
  motivo: Sealed | null
}

/** Medical records, their access log, and the data protection officer's register. */
export interface ClinicalTables {
  beneficiario: {
    id: Generated<number>
    /** JSON of `BeneficiaryData` (clinical/beneficiaries.ts). */
    dados: Sealed
    marcaId: string
    marcaNome: string
    cadastradoEm: Timestamp
    idAutor: number
    autor: string
    idAlteradoPor: number | null
    alteradoPor: string | null
    alteradoEm: Timestamp | null
    /** yyyy-mm-dd */
    ultimoRegistro: string | null
    versao: Generated<number>
  }
  beneficiarioVersao: {
    id: Generated<number>
    beneficiario: number
    versao: number
    dados: Sealed
    idAutor: number
    autor: string
    em: Timestamp
  }
  prontuario: Archiving & {
    id: Generated<number>
    beneficiario: number
    /** JSON of the clinician's text fields. */
    conteudo: Sealed
    /** yyyy-mm-dd */
    dataProntuario: string
    idAutor: number
    autor: string
    registroAutor: string | null
    registradoEm: Timestamp
    idAlteradoPor: number | null
    alteradoPor: string | null
    registroAlteradoPor: string | null
    alteradoEm: Timestamp | null
    versao: Generated<number>
  }
  prontuarioVersao: {
    id: Generated<number>
    prontuario: number
    versao: number
    conteudo: Sealed
    idAutor: number
    autor: string
    registroAutor: string | null
    em: Timestamp
  }
  anexo: Archiving & {
    id: Generated<number>
    beneficiario: number | null
    /** JSON of title and description. */
    dados: Sealed
    tipoAnexo: 'IMG' | 'PDF'
    tipoUsuario: 'ADMIN' | 'USER'
    /** yyyy-mm-dd */
    dataAnexo: string
    arquivo: string | null
    /** The file's data key, in base64. */
    chaveArquivo: Sealed | null
    formato: string | null
    tamanhoBytes: number | null
    idAutor: number
    autor: string
    registroAutor: string | null
    enviadoEm: Timestamp
  }
  arquivoPendente: {
    arquivo: string
    criadoEm: Timestamp
  }
  acessoSaude: {
    idAcesso: Generated<number>
    quando: Timestamp
    idUsuario: number
    nomeUsuario: string
    acao: AccessAction
    objeto: AccessObject
    idObjeto: number
    beneficiario: number | null
    finalidade: PurposeCode | 'nao_informada'
    finalidadeTexto: Sealed | null
    idRequisicao: string | null
    /** Keyed digest of the row, and the id of its key (clinical/health-data/access-rows.ts). */
    chave: string
    marca: string
  }
  incidente: {
    id: Generated<number>
    conteudo: Sealed
    conhecidoEm: Timestamp
    ocorridoEm: Timestamp | null
    titularesAfetados: number | null
    gravidade: 'baixo' | 'medio' | 'alto'
    exigeComunicacao: boolean
    comunicadoAnpdEm: Timestamp | null
    comunicadoTitularesEm: Timestamp | null
    encerradoEm: Timestamp | null
    idAutor: number
    autor: string
    registradoEm: Timestamp
    versao: Generated<number>
  }
  /** Has one row. */
  pastaAnexos: {
    marca: string
  }
}
