import { isPlaceholder } from '../health-data/encrypted-json.ts'
import type { HeldAttachment, HeldData, HeldRecord } from './held-data.repository.ts'

/**
 * Collects the parts that cannot be decrypted while an export streams; `parts` is complete at the
 * end.
 */
export const collectUnreadable = ({ beneficiario }: HeldData) => {
  const parts: string[] = beneficiario.versoes
    .filter(({ nome_beneficiario }) => isPlaceholder(nome_beneficiario))
    .map(({ versao }) => `Cadastro do beneficiário, versão ${versao}`)
  return {
    parts,
    records: noting(parts, unreadableOfRecord),
    attachments: noting(parts, unreadableOfAttachment),
  }
}

const noting = <T>(parts: string[], unreadableOf: (one: T) => string[]) =>
  async function* (rows: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const row of rows) {
      parts.push(...unreadableOf(row))
      yield row
    }
  }

const unreadableOfRecord = ({ id, versoes, arquivado }: HeldRecord): string[] => [
  ...versoes
    .filter(({ descricao_hd }) => isPlaceholder(descricao_hd))
    .map(({ versao }) => `Prontuário nº ${id}, versão ${versao}`),
  ...reasonOf(`Prontuário nº ${id}`, arquivado),
]

const unreadableOfAttachment = ({
  id,
  titulo_anexo,
  arquivado,
  arquivo_ausente,
}: HeldAttachment): string[] => [
  ...(isPlaceholder(titulo_anexo) ? [`Anexo nº ${id}, título e descrição`] : []),
  ...(arquivo_ausente ? [`Anexo nº ${id}, arquivo`] : []),
  ...reasonOf(`Anexo nº ${id}`, arquivado),
]

const reasonOf = (of: string, arquivado: { motivo: string } | null): string[] =>
  arquivado && isPlaceholder(arquivado.motivo) ? [`${of}, motivo do arquivamento`] : []
