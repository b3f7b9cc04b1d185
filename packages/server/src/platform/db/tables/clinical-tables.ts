import type { AccessAction, AccessObject, PurposeCode } from '@bi-manager/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Encrypted } from '../../config/secrets.ts'

export type Timestamp = ColumnType<Date, Date, Date>

export interface Archiving {
  idArquivadoPor: number | null
  arquivadoPor: string | null
  arquivadoEm: Timestamp | null
  motivo: Encrypted | null
}

/** Medical records, their access log, and the data protection officer's register. */
export interface ClinicalTables {
  beneficiario: {
    id: Generated<number>
    /** JSON of `BeneficiaryData` (clinical/beneficiaries.ts). */
    dados: Encrypted
    marcaId: string
    marcaNome: string
    marcaBusca: string | null
    /** The version whose name `marcaBusca` is of. */
    versaoBusca: number | null
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
    dados: Encrypted
    idAutor: number
    autor: string
    em: Timestamp
  }
  prontuario: Archiving & {
    id: Generated<number>
    beneficiario: number
    /** JSON of the clinician's text fields. */
    conteudo: Encrypted
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
    conteudo: Encrypted
    idAutor: number
    autor: string
    registroAutor: string | null
    em: Timestamp
  }
  anexo: Archiving & {
    id: Generated<number>
    beneficiario: number | null
    /** JSON of title and description. */
    dados: Encrypted
    tipoAnexo: 'IMG' | 'PDF'
    tipoUsuario: 'ADMIN' | 'USER'
    /** yyyy-mm-dd */
    dataAnexo: string
    arquivo: string | null
    /** The file's data key, in base64. */
    chaveArquivo: Encrypted | null
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
    finalidadeTexto: Encrypted | null
    idRequisicao: string | null
    /** Keyed digest of the row, and the id of its key (clinical/health-data/access-rows.ts). */
    chave: string
    marca: string
  }
  incidente: {
    id: Generated<number>
    conteudo: Encrypted
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
