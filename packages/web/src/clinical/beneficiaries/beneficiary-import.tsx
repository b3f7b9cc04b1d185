import { beneficiariesApi, beneficiaryEntity, labelsOf, type Output } from '@bi-manager/contract'
import { call } from '../../lib/api/api.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { readCsvFile } from '../../ui/csv-import/csv-file.ts'
import { expectedHeading } from '../../ui/csv-import/csv-list.ts'
import { ImportFile } from '../../ui/csv-import/import-file.tsx'
import { ImportPreview } from '../../ui/csv-import/import-preview.tsx'
import { ImportResult } from '../../ui/csv-import/import-result.tsx'
import { useChosenFile, useImportRun } from '../../ui/csv-import/use-csv-import.ts'
import { countText } from '../../ui/data-table/page-range.ts'
import { focusOnMount } from '../../ui/page-focus.ts'
import { useReported } from '../../ui/use-reported.ts'
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
  const run = useImportRun({
    key: file && ['importacao-de-beneficiarios', file.number],
    lines: file?.lines ?? [],
    preview: (linhas, signal) => call(beneficiariesApi.previewImport, { body: { linhas } }, { signal }),
    send: (linhas) => call(beneficiariesApi.import, { body: { linhas } }),
    onImported,
  })
  const { importing } = run
  useReported(importing.isPending, onHold)

  if (importing.data)
    return (
      <ImportResult
        count={importing.data.cadastrados}
        people={people}
        buttons={<ActionButton ref={focusOnMount} isMain label="Fechar" onClick={onClose} />}
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
      run={run}
      lost={{ keys: 'IDs', faults: 'IDs já cadastrados' }}
      writing={`Gravando ${countText(file.lines.length, false, people)}. Não feche esta janela.`}
      onClose={onClose}
      onStartOver={() => {
        run.reset()
        clear()
      }}
    />
  )
}

const readBeneficiaries = async (file: File) => parseBeneficiaryCsv(await readCsvFile(file, beneficiaryCsv))

type Line = Output<typeof beneficiariesApi.previewImport>['linhas'][number]

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
