import { type Attachment, senderOf } from '@bi-manager/contract'
import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useRef } from 'react'
import { AuthorName } from '../../ui/author-name.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import classes from './attachment-details.module.css'
import { downloadName, keptFileText } from './attachment-file.ts'
import { AttachmentViewer } from './attachment-viewer.tsx'
import { downloadFile } from './attachments-queries.ts'

interface AttachmentDetailsProps {
  /** Undefined closes the dialog. */
  attachment: Attachment | undefined
  onClose: () => void
}

/** A dialog with all fields of an attachment and its file. */
export const AttachmentDetails = ({ attachment, onClose }: AttachmentDetailsProps) => {
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const last = useRef(attachment)
  if (attachment) last.current = attachment
  const shown = attachment ?? last.current
  return (
    <Modal
      opened={attachment !== undefined}
      onClose={onClose}
      title="Detalhes do anexo"
      size="72rem"
      fullScreen={isPhone}
      radius={isPhone ? 0 : 'lg'}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && <Details key={shown.id} attachment={shown} />}
    </Modal>
  )
}

const Details = ({ attachment }: { attachment: Attachment }) => {
  const file = keptFileText(attachment)
  return (
    <div className={classes.details}>
      <div className={classes.file}>
        {attachment.imagem_anexo === null ? (
          <p className={classes.bare}>Este anexo foi enviado sem arquivo.</p>
        ) : (
          <AttachmentViewer attachment={attachment} />
        )}
      </div>
      <div className={classes.about}>
        <dl className={classes.pairs}>
          {pairsOf(attachment, file).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {attachment.imagem_anexo !== null && (
          <DownloadButton
            label="Baixar"
            download={() => downloadFile(attachment)}
            fileName={downloadName(attachment)}
          />
        )}
      </div>
    </div>
  )
}

const pairsOf = (attachment: Attachment, file: string | undefined): [string, ReactNode][] => [
  ['Título', attachment.titulo_anexo],
  ['Beneficiário', attachment.nome_beneficiario ?? 'Nenhum'],
  ...(attachment.id_beneficiario === null
    ? []
    : [['ID do beneficiário', attachment.id_beneficiario] satisfies [string, string]]),
  ['Descrição', attachment.descricao_anexo],
  ['Tipo', attachment.tipo_anexo],
  ['Data', attachment.data_anexo],
  ['Enviado por', <AuthorName key="author" {...senderOf(attachment)} />],
  ['Tipo de usuário', attachment.tipo_usuario],
  ['Arquivo', file ?? 'Nenhum'],
]
