import { ApiProblem, type MedicalRecord, medicalRecordsApi } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconHistory, IconPencil, IconPrinter } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { DownloadButton } from '../../ui/download-button.tsx'
import { LeaveDialog } from '../../ui/entity-form/leave-dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { recordQuery, refreshRecords } from './medical-records-queries.ts'
import { PaperNotice, PrintSheet, usePrint } from './print-sheet.tsx'
import { RecordEdit, RecordEditSkeleton } from './record-edit.tsx'
import { RecordFacts } from './record-facts.tsx'
import { RecordVersions } from './record-versions.tsx'

type RecordView = 'read' | 'edit' | 'versions'

export interface OpenRecord {
  /** The list's copy, shown until the record is fetched. */
  record: MedicalRecord
  view: RecordView
  /** Whether cancelling an edit returns to the view 'read'. */
  isFromReading?: boolean
}

interface RecordDialogProps {
  /** Undefined closes the dialog. */
  opened: OpenRecord | undefined
  onOpen: (opened: OpenRecord) => void
  onClose: () => void
}

const titles: Record<RecordView, string> = {
  read: 'Informações prontuário',
  edit: 'Editar prontuário',
  versions: 'Versões do prontuário',
}

/** A dialog with one view of a record at a time: its content, the edit form or its versions. */
export const RecordDialog = ({ opened, onOpen, onClose }: RecordDialogProps) => {
  const { shown, opening } = useDialogTarget(opened)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** The action to run if the user confirms leaving without saving. */
  const [asked, setAsked] = useState<{ go: () => void }>()
  const unlessDirty = (go: () => void) => (isDirty ? setAsked({ go }) : go())
  const isInVersions = opened?.view === 'versions'
  useWindowEvent('keydown', (event) => {
    // Escape in the versions returns to the record instead of closing the dialog.
    if (event.key !== 'Escape' || event.isComposing || !isInVersions) return
    onOpen({ record: opened.record, view: 'read' })
  })
  return (
    <>
      <Modal
        opened={opened !== undefined}
        onClose={() => !isBusy && unlessDirty(onClose)}
        title={shown ? titles[shown.view] : ''}
        size="44rem"
        centered
        closeOnEscape={asked === undefined && !isInVersions}
        closeOnClickOutside={!isDirty}
        closeButtonProps={{ 'aria-label': 'Fechar', size: 'lg' }}
        classNames={{ content: classes.dialog }}
      >
        {shown && (
          <Content
            key={opening}
            record={shown.record}
            view={shown.view}
            opening={opening}
            onView={(view) =>
              onOpen({ record: shown.record, view, isFromReading: shown.view === 'read' && view === 'edit' })
            }
            onCancel={() =>
              unlessDirty(() =>
                shown.isFromReading ? onOpen({ record: shown.record, view: 'read' }) : onClose(),
              )
            }
            onDirty={setDirty}
            onBusy={setBusy}
          />
        )}
      </Modal>
      {isDirty && (
        <LeaveDialog
          isDirty
          closing={{
            isAsked: asked !== undefined,
            stay: () => setAsked(undefined),
            leave: () => {
              setAsked(undefined)
              setDirty(false)
              asked?.go()
            },
          }}
        />
      )}
    </>
  )
}

interface ContentProps extends Omit<OpenRecord, 'isFromReading'> {
  opening: number
  onView: (view: RecordView) => void
  onCancel: () => void
  onDirty: (isDirty: boolean) => void
  onBusy: (isBusy: boolean) => void
}

const Content = ({ record, view, opening, onView, onCancel, onDirty, onBusy }: ContentProps) => {
  const client = useQueryClient()
  const query = recordQuery(record.id, opening)
  const { data, error, isFetching, refetch } = useQuery(query)
  const [savedVersion, setSavedVersion] = useState<number>()
  const isSaved = savedVersion !== undefined && savedVersion === data?.versao
  useSuccessClose(isSaved, () => setSavedVersion(undefined))
  const isGone = error instanceof ApiProblem && error.status === 404
  useEffect(() => {
    if (isGone) void refreshRecords(client)
  }, [isGone, client])

  if (error && !data)
    return <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
  if (view === 'versions') return <RecordVersions record={data ?? record} onBack={() => onView('read')} />
  if (view === 'read') return <RecordRead record={data ?? record} isSaved={isSaved} onView={onView} />
  // An edit starts from the server's current state, never from the list's copy.
  if (!data) return <RecordEditSkeleton />
  return (
    <RecordEdit
      record={data}
      onDirty={onDirty}
      onBusy={onBusy}
      onCancel={onCancel}
      onSaved={(saved) => {
        client.setQueryData(query.queryKey, saved)
        setSavedVersion(saved.versao)
        void refreshRecords(client)
        onView('read')
      }}
    />
  )
}

interface RecordReadProps {
  record: MedicalRecord
  /** Whether the record was just saved in this dialog. */
  isSaved: boolean
  onView: (view: 'edit' | 'versions') => void
}

const RecordRead = ({ record, isSaved, onView }: RecordReadProps) => {
  const params = { id: record.id }
  const { isPrinting, print } = usePrint()
  const recordPrint = useExclusiveMutation({
    mutationFn: () => call(medicalRecordsApi.recordPrint, { params }),
    onSuccess: print,
  })
  const { error } = recordPrint
  return (
    <div className={shared.stackLg} {...dialogContentFocusProps}>
      <p role="status" className={`${shared.active} ${classes.saved}`}>
        {isSaved && 'Prontuário editado! A versão anterior ficou guardada.'}
      </p>
      <RecordFacts record={record} />
      <ErrorAlert error={error} />
      <div className={`${shared.buttonsAtEnd} ${classes.buttons}`}>
        <ActionButton
          icon={IconPrinter}
          label="Imprimir"
          loading={recordPrint.isPending}
          onClick={() => recordPrint.mutate()}
        />
        <DownloadButton
          label="Baixar PDF"
          download={() => call(medicalRecordsApi.pdf, { params })}
          fileName={`prontuario-${record.id}.pdf`}
        />
        <ActionButton icon={IconHistory} label="Versões" onClick={() => onView('versions')} />
        <ActionButton isMain icon={IconPencil} label="Editar" onClick={() => onView('edit')} />
      </div>
      <PaperNotice />
      {isPrinting && <PrintSheet record={record} />}
    </div>
  )
}
