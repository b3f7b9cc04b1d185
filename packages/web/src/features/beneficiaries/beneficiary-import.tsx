import { beneficiaryEntity, labelsOf } from '@bi-manager/contract'
import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { readCsvFile } from '../../ui/csv-import/csv-file.ts'
import { expectedHeading } from '../../ui/csv-import/csv-list.ts'
import { ImportFile } from '../../ui/csv-import/import-file.tsx'
import { ImportPreview, LostAnswerNotice } from '../../ui/csv-import/import-preview.tsx'
import { ImportResult } from '../../ui/csv-import/import-result.tsx'
import { isAnswerLost, useChosenFile, useImportRun } from '../../ui/csv-import/use-csv-import.ts'
import { countText } from '../../ui/data-table/page-range.ts'
import { focusOnMount } from '../../ui/page-focus.ts'
import { importBeneficiaries, previewImport } from './beneficiaries-queries.ts'
import { beneficiaryCsv, exampleCsv, parseBeneficiaryCsv } from './beneficiary-csv.ts'

interface BeneficiaryImportProps {
  onClose: () => void
  onImported: () => void
  /** Called with true while the dialog must stay open. */
  onHold: (isHeld: boolean) => void
}

const { people } = beneficiaryCsv

/** The steps of an import: file, preview, result. */
export const BeneficiaryImport = ({ onClose, onImported, onHold }: BeneficiaryImportProps) => {
  const { file, fault, choose, clear } = useChosenFile(readBeneficiaries)
  const { preview, importing, isUnknown, reset } = useImportRun({
    key: file && ['importacao-de-beneficiarios', file.number],
    lines: file?.lines ?? [],
    preview: previewImport,
    send: importBeneficiaries,
    onImported,
  })
  useEffect(() => {
    onHold(importing.isPending)
    return () => onHold(false)
  }, [onHold, importing.isPending])

  if (importing.data)
    return (
      <ImportResult
        count={importing.data.cadastrados}
        people={people}
        buttons={
          <Button onClick={onClose} ref={focusOnMount}>
            Fechar
          </Button>
        }
      />
    )
  if (!file)
    return (
      <ImportFile
        lead="Um beneficiário por linha. Antes de gravar, você vê o que falta em cada linha; depois, ou todos entram, ou nenhum."
        hints={hints}
        example={{ name: 'beneficiarios-exemplo.csv', text: exampleCsv }}
        fault={fault}
        onChoose={choose}
        onCancel={onClose}
      />
    )
  return (
    <ImportPreview
      file={file}
      people={people}
      texts={texts}
      preview={preview.data}
      failure={preview.isFetching ? undefined : (preview.error ?? undefined)}
      onRetry={() => void preview.refetch()}
      problem={importing.error && !isAnswerLost(importing.error) ? messageOf(importing.error) : undefined}
      unknown={
        isUnknown
          ? {
              faults: 'IDs já cadastrados',
              notice: <LostAnswerNotice keys="IDs" />,
              close: (
                <Button variant="default" onClick={onClose} disabled={importing.isPending}>
                  Fechar
                </Button>
              ),
            }
          : undefined
      }
      isImporting={importing.isPending}
      isChecking={preview.isFetching}
      writing={`Gravando ${countText(file.lines.length, false, people)}. Não feche esta janela.`}
      onImport={() => importing.mutate()}
      onStartOver={() => {
        reset()
        clear()
      }}
    />
  )
}

const readBeneficiaries = async (file: File) => parseBeneficiaryCsv(await readCsvFile(file, beneficiaryCsv))

interface Line {
  linha: number
  nome_beneficiario: string
  id_beneficiario: string
  erros: Record<string, string>
}

const texts = {
  columns: [
    { label: 'Nome', render: ({ nome_beneficiario }: Line) => nome_beneficiario },
    { label: 'ID', render: ({ id_beneficiario }: Line) => id_beneficiario },
  ] as const,
  fieldNames: labelsOf(beneficiaryEntity),
}

const hints = (
  <>
    <li>Até 1.000 beneficiários por arquivo; colunas separadas por ponto e vírgula, vírgula ou tabulação.</li>
    <li>
      A primeira linha pode ser o cabeçalho <code>{expectedHeading(beneficiaryCsv)}</code>.
    </li>
    <li>
      Só o nome e o ID são obrigatórios; a data é dd/mm/aaaa e o sexo, Feminino, Masculino, Outro ou F, M, O.
    </li>
  </>
)
