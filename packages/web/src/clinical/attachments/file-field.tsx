import { Box, CloseButton, FileButton, Group, Loader, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconCamera, IconFileTypePdf, IconFileUpload, IconPhotoOff } from '@tabler/icons-react'
import { type MouseEvent, useId, useRef, useState } from 'react'
import { useObjectUrl } from '../../lib/browser/use-object-url.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { OptionalLabel } from '../../ui/fields/optional-label.tsx'
import shared from '../../ui/shared.module.css'
import { ACCEPTED, ACCEPTED_PHOTOS, FILE_HINT, fileText, typeOfFile } from './attachment-file.ts'
import classes from './file-field.module.css'
import { PdfPage } from './pdf-page.tsx'
import type { NotTaken } from './use-attachment-form.ts'
import { usePdf } from './use-pdf.ts'

interface FileFieldProps {
  file: File | null
  /** The error of the attached file. */
  error: string | undefined
  notTaken: NotTaken | undefined
  isDisabled: boolean
  onChoose: (file: File | null) => void
  onDropNotTaken: () => void
  /** Sends the form although the chosen file is refused; undefined while that is not possible. */
  onSendWithout: (() => void) | undefined
}

/** Takes a file by drop, file dialog or, on phones, camera, and shows a preview. */
export const FileField = (props: FileFieldProps) => {
  const { file, error, notTaken, isDisabled, onChoose, onDropNotTaken, onSendWithout } = props
  const isFaulty = error !== undefined || notTaken !== undefined
  const [label, hint, fault] = [useId(), useId(), useId()]
  const open = useRef<() => void>(null)
  const forgetPhoto = useRef<() => void>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form's own fieldset is around it
    <div role="group" aria-labelledby={label} aria-describedby={isFaulty ? `${hint} ${fault}` : hint}>
      <Box id={label} mb={6} fw={600} fz="sm">
        <OptionalLabel>Arquivo</OptionalLabel>
      </Box>
      <Dropzone
        openRef={open}
        multiple={false}
        // The Dropzone refuses only a second file; unsuitable files get our own message.
        onDropAny={(taken, refused) => onChoose(taken[0] ?? refused[0]?.file ?? null)}
        onDrop={() => undefined}
        disabled={isDisabled}
        activateOnKeyboard={false}
        enablePointerEvents
        inputProps={{ accept: inputAccept, 'aria-label': 'Arquivo' }}
        className={classes.zone}
        mod={{ faulty: isFaulty }}
      >
        {file ? (
          <ChosenFile file={file} onRemove={() => onChoose(null)} />
        ) : (
          <Stack gap={4} align="center" ta="center" className={shared.note}>
            <IconFileUpload size={28} stroke={1.5} aria-hidden />
            <span className={classes.drop}>Arraste um arquivo para cá ou</span>
          </Stack>
        )}
        <Group gap="0.625rem" justify="center" mt="sm">
          <ActionButton
            label={file ? 'Trocar arquivo' : 'Escolher arquivo'}
            onClick={(event) => {
              event.stopPropagation()
              open.current?.()
            }}
          />
          <FileButton
            accept={ACCEPTED_PHOTOS}
            capture="environment"
            resetRef={forgetPhoto}
            onChange={(photo) => {
              if (photo) onChoose(photo)
              // Otherwise choosing the same photo again would emit no change event.
              forgetPhoto.current?.()
            }}
            inputProps={{ 'aria-label': 'Foto', onClick: stop }}
          >
            {({ onClick }) => (
              <ActionButton
                icon={IconCamera}
                label="Tirar foto"
                className={classes.camera}
                onClick={(event) => {
                  event.stopPropagation()
                  onClick()
                }}
              />
            )}
          </FileButton>
        </Group>
      </Dropzone>
      <Text id={hint} c="dimmed" fz="xs" mt={6}>
        {FILE_HINT}
      </Text>
      <p id={fault} role="alert" className={classes.fault}>
        {notTaken ? <Refusal {...notTaken} file={file} /> : error}
      </p>
      {notTaken && (
        <Group gap="0.625rem" mt="xs">
          <ActionButton label={`Tirar o arquivo ${notTaken.name}`} onClick={onDropNotTaken} />
          {onSendWithout && <ActionButton label="Enviar sem arquivo" onClick={onSendWithout} />}
        </Group>
      )}
    </div>
  )
}

/** Also says what is attached now, so that the user does not send the previous file by mistake. */
const Refusal = ({ name, fault, file }: NotTaken & { file: File | null }) => (
  <>
    <bdi>{name}</bdi> não foi anexado. {fault}{' '}
    <strong>
      {file ? (
        <>
          Continua anexado: <bdi>{file.name}</bdi>.
        </>
      ) : (
        'Nenhum arquivo está anexado.'
      )}
    </strong>
  </>
)

const ChosenFile = ({ file, onRemove }: { file: File; onRemove: () => void }) => (
  <Group gap="0.875rem" wrap="nowrap" px={6}>
    <FilePreview file={file} />
    <Stack gap={0} fz="sm" className={shared.fills}>
      <Box component="bdi" fw={600} className={shared.breakable}>
        {file.name}
      </Box>
      <span className={shared.dimmed}>{fileText(file)}</span>
    </Stack>
    <CloseButton
      aria-label={`Tirar o arquivo ${file.name}`}
      onClick={(event) => {
        event.stopPropagation()
        onRemove()
      }}
    />
  </Group>
)

const stop = (event: MouseEvent) => event.stopPropagation()

const inputAccept = [...Object.keys(ACCEPTED), ...Object.values(ACCEPTED).flat()].join(',')

/**
 * A preview of the image or of the PDF's first page. A file without a preview can still be sent.
 */
const FilePreview = ({ file }: { file: File }) => (
  <div className={classes.preview}>
    {typeOfFile(file) === 'PDF' ? <FirstPage file={file} /> : <Picture key={keyOf(file)} file={file} />}
  </div>
)

const Picture = ({ file }: { file: File }) => {
  const url = useObjectUrl(file)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <IconPhotoOff size={28} stroke={1.5} role="img" aria-label="Sem prévia" />
  return url && <img src={url} alt="Prévia da imagem escolhida" onError={() => setBroken(true)} />
}

const FirstPage = ({ file }: { file: File }) => {
  const { pdf, error } = usePdf(file)
  if (error) return <IconFileTypePdf size={28} stroke={1.5} role="img" aria-label="Sem prévia" />
  if (!pdf) return <Loader size="sm" aria-label="Preparando a prévia" />
  return <PdfPage pdf={pdf} page={1} within={THUMBNAIL} label="Prévia da primeira página do PDF" />
}

/** CSS pixels, the size of `.preview`. */
const THUMBNAIL = { width: 88, height: 88 }

const keyOf = ({ name, size, lastModified }: File): string => `${name} ${size} ${lastModified}`
