import {
  type Beneficiary,
  firstAuthorOf,
  lastAuthorOf,
  type MedicalRecord,
  medicalRecordsApi,
  PURPOSE_LENGTH,
  RETENTION_YEARS,
} from '@bi-manager/contract'
import { IconEye } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { usePanelListState } from '../../lib/lists/panel-list-state.ts'
import { useListOf } from '../../lib/lists/use-list.ts'
import { fullTime, hourText } from '../../lib/text/relative-time.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { DeleteAction, EditAction } from '../../ui/data-table/entity-actions.tsx'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { textOfDay } from '../../ui/day-field/day-text.ts'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from './author-name.tsx'
import { excerptOf } from './excerpt.ts'
import classes from './medical-records.module.css'
import { archiveEntity, RECORDS_KEY, refreshRecords } from './medical-records-queries.ts'
import { type Period, PeriodFilter } from './period-filter.tsx'
import { type OpenRecord, RecordDialog } from './record-dialog.tsx'

interface RecordListProps {
  /** The patient whose records are listed; null lists all records. */
  beneficiary: Beneficiary | null
}

type Dialog = { kind: 'open'; opened: OpenRecord } | { kind: 'delete'; record: MedicalRecord }

/** 'Prontuários': the list with its period filter, and the dialogs of a record. */
export const RecordList = ({ beneficiary }: RecordListProps) => {
  const client = useQueryClient()
  const [period, setPeriod] = useState<Period>()
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const open = (opened: OpenRecord) => setDialog({ kind: 'open', opened })
  const close = () => setDialog(null)
  /** Number of records archived here; part of the key, so that the list restarts after each. */
  const [archivedCount, setArchivedCount] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <div className={`${shared.stackMd} ${classes.list}`}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={shared.heading}>
          Prontuários
        </h2>
        <p className={shared.underHeading}>
          {beneficiary ? `De ${beneficiary.nome_beneficiario}` : 'De todos os beneficiários'}
        </p>
      </div>
      <PeriodFilter period={period} onFilter={setPeriod} />
      <Records
        // Remount per patient and period, so that no old rows stay visible while loading.
        key={[beneficiary?.id, period?.de, period?.ate, archivedCount].join()}
        beneficiary={beneficiary}
        period={period}
        onOpen={open}
        onDelete={(record) => setDialog({ kind: 'delete', record })}
      />
      <RecordDialog
        opened={dialog?.kind === 'open' ? dialog.opened : undefined}
        onOpen={open}
        onClose={close}
      />
      <ConfirmDelete
        target={dialog?.kind === 'delete' ? dialog.record : undefined}
        onClose={close}
        question="Deseja mesmo excluir esse prontuário?"
        done="Prontuário Excluido!"
        nameOf={({ nome_beneficiario, especialidade, data_prontuario }) =>
          `${nome_beneficiario}, ${especialidade}, ${data_prontuario}`
        }
        consequence={`O prontuário sai das listas, mas não se perde: fica arquivado, com o motivo, por ${RETENTION_YEARS} anos após o último registro (Lei 13.787/2018).`}
        outcome={`O registro fica arquivado por ${RETENTION_YEARS} anos.`}
        reason={{ label: 'Motivo', maxLength: PURPOSE_LENGTH }}
        remove={archiveEntity}
        onDeleted={() => {
          setArchivedCount(archivedCount + 1)
          void refreshRecords(client)
        }}
        leadFocus={() => heading.current?.focus()}
      />
    </div>
  )
}

interface RecordsProps extends RecordListProps {
  period: Period | undefined
  onOpen: (opened: OpenRecord) => void
  onDelete: (record: MedicalRecord) => void
}

const Records = ({ beneficiary, period, onOpen, onDelete }: RecordsProps) => {
  const list = useListOf(usePanelListState(), {
    queryKey: [RECORDS_KEY],
    endpoint: medicalRecordsApi.list,
    filter: {
      beneficiario: beneficiary?.id,
      de: period && textOfDay(period.de),
      ate: period && textOfDay(period.ate),
    },
    isLogged: true,
  })
  return (
    <DataTable
      list={list}
      label="Prontuários"
      columns={beneficiary ? columnsOfOne : columnsOfAll}
      isCompact={beneficiary !== null}
      rowKey={({ id }) => id}
      isInPanel
      isFiltered={period !== undefined}
      actions={(record) => {
        const of = `prontuário nº ${record.id} de ${record.nome_beneficiario}`
        return (
          <>
            <RowAction icon={IconEye} label="Ver" of={of} onClick={() => onOpen({ record, view: 'read' })} />
            <EditAction of={of} onClick={() => onOpen({ record, view: 'edit' })} />
            <DeleteAction of={of} onClick={() => onDelete(record)} />
          </>
        )
      }}
      empty={{
        text: `${
          beneficiary
            ? `${beneficiary.nome_beneficiario} ainda não tem prontuários.`
            : 'Nenhum prontuário foi registrado ainda.'
        } Preencha “Registrar Prontuário” para criar o primeiro.`,
      }}
    />
  )
}

const LastChange = (record: MedicalRecord) => {
  const last = lastAuthorOf(record)
  return (
    last && (
      <span className={shared.detail}>
        alterado por <AuthorName {...last.por} /> em {fullTime(last.em)}
      </span>
    )
  )
}

type RecordColumn = Column<MedicalRecord, never>

const specialty: RecordColumn = {
  label: 'Especialidade',
  sharesCardLine: true,
  render: ({ especialidade }) => especialidade,
}

const written: RecordColumn = {
  label: 'Data do prontuário',
  sharesCardLine: true,
  // A portal of an earlier version, which may answer during an upgrade, sends no instant.
  render: ({
    data_prontuario,
    registrado_em,
  }: Omit<MedicalRecord, 'registrado_em'> & Partial<MedicalRecord>) =>
    registrado_em ? `${data_prontuario}, ${hourText(registrado_em)}` : data_prontuario,
  detail: (record) => (
    <>
      <span className={shared.detail}>
        por <AuthorName {...firstAuthorOf(record)} />
      </span>
      <LastChange {...record} />
    </>
  ),
}

/** The list's answer has the text, and each of its records is in the access log. */
const excerpt: RecordColumn = { label: 'Trecho', render: ({ descricao_hd }) => excerptOf(descricao_hd) }

const columnsOfAll: RecordColumn[] = [
  { label: 'Beneficiário', isName: true, render: ({ nome_beneficiario }) => nome_beneficiario },
  specialty,
  written,
  excerpt,
]

/** The heading names the beneficiary. */
const columnsOfOne: RecordColumn[] = [{ ...specialty, isName: true, sharesCardLine: false }, written, excerpt]
