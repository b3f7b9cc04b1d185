import {
  type Attachment,
  attachmentsApi,
  type Beneficiary,
  PURPOSE_LENGTH,
  RETENTION_YEARS,
  senderOf,
} from '@bi-manager/contract'
import { Box, Text } from '@mantine/core'
import { IconDownload, IconEye } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useDownload } from '../../lib/browser/use-download.ts'
import { usePanelListState } from '../../lib/lists/panel-list-state.ts'
import { useListOf } from '../../lib/lists/use-list.ts'
import type { Column } from '../../ui/data-table/columns.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { RowAction } from '../../ui/data-table/row-action.tsx'
import { ConfirmDelete } from '../../ui/dialog/confirm-delete.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from '../medical-records/author-name.tsx'
import { AttachmentDetails } from './attachment-details.tsx'
import { downloadName } from './attachment-file.ts'
import classes from './attachment-list.module.css'
import './attachments-mantine.css'
import { DeleteAction } from '../../ui/data-table/entity-actions.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { archiveAttachment, attachmentsKey, downloadFile } from './attachments-queries.ts'

/** 'Anexos': the attachments of one beneficiary, or all when null. */
export const AttachmentList = ({ beneficiary }: { beneficiary: Beneficiary | null }) => {
  const queryClient = useQueryClient()
  const headingId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [dialog, setDialog] = useState<{ kind: 'view' | 'delete'; attachment: Attachment } | null>(null)
  const close = () => setDialog(null)
  /** Number of attachments archived here; part of the key, so that the list restarts after each. */
  const [starts, setStarts] = useState(0)
  const handleDeleted = () => {
    setStarts(starts + 1)
    void queryClient.invalidateQueries({ queryKey: attachmentsKey })
  }
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <div>
        <h2 ref={heading} id={headingId} tabIndex={-1} className={shared.title}>
          Anexos
        </h2>
        <p className={shared.underHeading}>
          {beneficiary ? `De ${beneficiary.nome_beneficiario}` : 'De todos os beneficiários'}
        </p>
      </div>
      <Attachments
        // Remount per patient, so that no old rows stay visible while loading.
        key={`${beneficiary?.id} ${starts}`}
        beneficiary={beneficiary}
        onView={(attachment) => setDialog({ kind: 'view', attachment })}
        onDelete={(attachment) => setDialog({ kind: 'delete', attachment })}
      />
      <AttachmentDetails
        attachment={dialog?.kind === 'view' ? dialog.attachment : undefined}
        onClose={close}
      />
      <ConfirmDelete
        target={dialog?.kind === 'delete' ? dialog.attachment : undefined}
        onClose={close}
        question="Deseja mesmo excluir esse anexo?"
        done="Anexo Excluido!"
        nameOf={({ titulo_anexo }) => titulo_anexo}
        consequence={`O anexo sai da lista, mas não se perde: fica arquivado, com o motivo, por ${RETENTION_YEARS} anos após o último registro (Lei 13.787/2018).`}
        outcome={`O anexo fica arquivado por ${RETENTION_YEARS} anos.`}
        reason={{ label: 'Motivo', maxLength: PURPOSE_LENGTH }}
        remove={archiveAttachment}
        onDeleted={handleDeleted}
        leadFocus={() => heading.current?.focus()}
      />
    </section>
  )
}

interface AttachmentsProps {
  beneficiary: Beneficiary | null
  onView: (attachment: Attachment) => void
  onDelete: (attachment: Attachment) => void
}

const Attachments = ({ beneficiary, onView, onDelete }: AttachmentsProps) => {
  const download = useDownload({ download: downloadFile, nameOf: downloadName })
  const list = useListOf(usePanelListState(), {
    queryKey: attachmentsKey,
    endpoint: attachmentsApi.list,
    filter: { beneficiario: beneficiary?.id },
    isLogged: true,
  })
  return (
    <>
      <ErrorAlert error={download.error} />
      <DataTable
        list={list}
        label="Lista de anexos"
        searchLabel="Buscar por tipo (IMG ou PDF)"
        isInPanel
        columns={columns}
        rowKey={({ id }) => id}
        actions={(attachment) => (
          <>
            <RowAction
              icon={IconEye}
              label="Detalhes"
              of={`de ${attachment.titulo_anexo}`}
              onClick={() => onView(attachment)}
            />
            {attachment.imagem_anexo !== null && (
              <RowAction
                icon={IconDownload}
                label="Baixar"
                of={attachment.titulo_anexo}
                disabled={download.pending?.id === attachment.id}
                onClick={() => download.save(attachment)}
              />
            )}
            <DeleteAction of={attachment.titulo_anexo} onClick={() => onDelete(attachment)} />
          </>
        )}
        empty={{ text: beneficiary ? 'Este beneficiário ainda não tem anexos.' : 'Ainda não há anexos.' }}
      />
    </>
  )
}

const columns: Column<Attachment, never>[] = [
  {
    label: 'Beneficiário',
    isName: true,
    render: ({ nome_beneficiario }) => nome_beneficiario ?? 'Sem beneficiário',
  },
  {
    label: 'Descrição',
    render: (attachment) => (
      <>
        <Box component="span" display="block" fw={600} className={shared.breakable}>
          {attachment.titulo_anexo}
        </Box>
        {/* The details show the full text. */}
        <Text component="span" inherit lineClamp={3} className={shared.breakable}>
          {attachment.descricao_anexo}
        </Text>
        <span className={`${shared.detail} ${shared.breakable}`}>
          enviado por <AuthorName {...senderOf(attachment)} />
        </span>
      </>
    ),
  },
  { label: 'Tipo', sharesCardLine: true, render: ({ tipo_anexo }) => tipo_anexo },
  { label: 'Data', sharesCardLine: true, render: ({ data_anexo }) => data_anexo },
  { label: 'Tipo de usuário', sharesCardLine: true, render: ({ tipo_usuario }) => tipo_usuario },
]
