import { EXPORT_FORMATS, type ExportFormat, type ReportExportRequest } from '@bi-manager/contract'
import { Stack, Text, TextInput } from '@mantine/core'
import {
  type Icon,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileTypePpt,
  IconPhoto,
} from '@tabler/icons-react'
import shared from '../../../ui/shared.module.css'
import { emptyPanelChoice } from '../filters/panel-filters.ts'
import type { OpeningStatus } from '../opening/opening-status.ts'
import type { ViewedReport } from '../opening/use-report.ts'
import classes from './export-button.module.css'

type Choose = (makeBody: () => Promise<ReportExportRequest>) => void

const ofVisuals: { label: string; formato: 'PDF' | 'PNG' | 'XLSX'; isWhole: boolean }[] = [
  { label: 'PDF desta página', formato: 'PDF', isWhole: false },
  { label: 'PDF do relatório inteiro', formato: 'PDF', isWhole: true },
  { label: 'Imagem (PNG) desta página', formato: 'PNG', isWhole: false },
  { label: 'Dados da página (XLSX)', formato: 'XLSX', isWhole: false },
]
const icons = { PDF: IconFileTypePdf, PNG: IconPhoto, XLSX: IconFileSpreadsheet }

interface InteractiveChoicesProps {
  capture: ViewedReport['capture']
  /** Microsoft writes no spreadsheet of a report of visuals: the menus of its visuals export their data. */
  isLocal: boolean
  onChoose: Choose
}

/** The files of a report of visuals: as it is on the screen. */
export const InteractiveChoices = ({ capture, isLocal, onChoose }: InteractiveChoicesProps) => (
  <>
    <Stack component="ul" gap={2} mx={-8}>
      {ofVisuals
        .filter(({ formato }) => isLocal || formato !== 'XLSX')
        .map(({ label, formato, isWhole }) => (
          <Choice
            key={label}
            label={label}
            icon={icons[formato]}
            onClick={() =>
              onChoose(async () => {
                const { pagina, filtros, marcador } = await capture()
                const seen = { filtros, marcador, visual: null, parametros: [] }
                return { formato, pagina: isWhole ? null : pagina, ...seen }
              })
            }
          />
        ))}
    </Stack>
    <Text fz="xs" mt={8} c="dimmed">
      O arquivo sai com os filtros e as seleções que estão na tela.
      {!isLocal && ' Para os dados de um visual, use o menu do próprio visual, se o relatório permite.'}
    </Text>
  </>
)

const paginatedFiles: Record<(typeof EXPORT_FORMATS.PAGINADO)[number], { label: string; icon: Icon }> = {
  PDF: { label: 'PDF', icon: IconFileTypePdf },
  XLSX: { label: 'Excel (XLSX)', icon: IconFileSpreadsheet },
  DOCX: { label: 'Word (DOCX)', icon: IconFileTypeDocx },
  PPTX: { label: 'PowerPoint (PPTX)', icon: IconFileTypePpt },
  CSV: { label: 'CSV', icon: IconFileTypeCsv },
}

type PaginatedChoicesProps = NonNullable<OpeningStatus['paginated']> & {
  /** The value of each parameter. */
  values: string[]
  onChange: (values: string[]) => void
  onChoose: Choose
}

/**
 * The files of a paginated report. Power BI does not tell the portal which parameters were chosen in
 * the report, so they are chosen here once more.
 */
export const PaginatedChoices = (props: PaginatedChoicesProps) => {
  const { parametros, painelParametros, values, onChange, onChoose } = props
  const isChosen = painelParametros && parametros.length > 0
  const choose = (formato: ExportFormat) =>
    onChoose(async () => ({
      formato,
      pagina: null,
      visual: null,
      filtros: emptyPanelChoice,
      marcador: null,
      parametros: isChosen ? parametros.map(({ nome }, index) => `${nome}=${values[index] ?? ''}`) : [],
    }))
  return (
    <>
      {isChosen && (
        <Stack gap="xs" mb="sm">
          <Text fz="xs" c="dimmed">
            O Power BI não informa o que você escolheu no relatório. Confira os valores do arquivo:
          </Text>
          {parametros.map(({ nome }, index) => (
            <TextInput
              // Names repeat, and the order does not change.
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={index}
              size="sm"
              label={nome}
              maxLength={1000}
              value={values[index] ?? ''}
              onChange={({ currentTarget: { value } }) => onChange(values.with(index, value))}
            />
          ))}
        </Stack>
      )}
      <Stack component="ul" gap={2} mx={-8}>
        {EXPORT_FORMATS.PAGINADO.map((formato) => (
          <Choice key={formato} {...paginatedFiles[formato]} onClick={() => choose(formato)} />
        ))}
      </Stack>
      {painelParametros && !isChosen && (
        <Text fz="xs" mt={8} c="dimmed">
          O arquivo sai com os parâmetros padrão do relatório, e não com os que você escolheu nele.
        </Text>
      )}
    </>
  )
}

interface ChoiceProps {
  label: string
  icon: Icon
  onClick: () => void
}

const Choice = ({ label, icon: IconOf, onClick }: ChoiceProps) => (
  <li>
    <button type="button" className={`${shared.plainButton} ${classes.choice}`} onClick={onClick}>
      <IconOf size={19} stroke={1.6} aria-hidden />
      {label}
    </button>
  </li>
)
