import { Button, CloseButton, FileButton } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconCamera, IconFileUpload } from '@tabler/icons-react'
import { type MouseEvent, useId, useRef } from 'react'
import { ACCEPTED, ACCEPTED_PHOTOS, FILE_HINT, fileText } from './attachment-file.ts'
import classes from './file-field.module.css'
import { FilePreview } from './file-preview.tsx'
import type { NotTaken } from './use-attachment-form.ts'

interface FileFieldProps {
  file: File | null
  /** The error of the attached file. */
  error: string | undefined
  notTaken: NotTaken | undefined
  isDisabled: boolean
  onChoose: (file: File | null) => void
}

/** Takes a file by drop, file dialog or, on phones, camera, and shows a preview. */
export const FileField = ({ file, error, notTaken, isDisabled, onChoose }: FileFieldProps) => {
  const isFaulty = error !== undefined || notTaken !== undefined
  const [label, hint, fault] = [useId(), useId(), useId()]
  const open = useRef<() => void>(null)
  const forgetPhoto = useRef<() => void>(null)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the form's own fieldset is around it
    <div role="group" aria-labelledby={label} aria-describedby={isFaulty ? `${hint} ${fault}` : hint}>
      <div className={classes.label} id={label}>
        Arquivo <span className={classes.optional}>(opcional)</span>
      </div>
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
          <div className={classes.invitation}>
            <IconFileUpload size={28} stroke={1.5} aria-hidden />
            <span className={classes.drop}>Arraste um arquivo para cá ou</span>
          </div>
        )}
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="sm"
            onClick={(event) => {
              event.stopPropagation()
              open.current?.()
            }}
          >
            {file ? 'Trocar arquivo' : 'Escolher arquivo'}
          </Button>
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
              <Button
                variant="default"
                size="sm"
                className={classes.camera}
                leftSection={<IconCamera size={18} aria-hidden />}
                onClick={(event) => {
                  event.stopPropagation()
                  onClick()
                }}
              >
                Tirar foto
              </Button>
            )}
          </FileButton>
        </div>
      </Dropzone>
      <p id={hint} className={classes.hint}>
        {FILE_HINT}
      </p>
      <p id={fault} role="alert" className={classes.fault}>
        {notTaken ? <Refusal {...notTaken} file={file} /> : error}
      </p>
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
  <div className={classes.chosen}>
    <FilePreview file={file} />
    <div className={classes.about}>
      <bdi className={classes.name}>{file.name}</bdi>
      <span className={classes.size}>{fileText(file)}</span>
    </div>
    <CloseButton
      aria-label={`Tirar o arquivo ${file.name}`}
      onClick={(event) => {
        event.stopPropagation()
        onRemove()
      }}
    />
  </div>
)

const stop = (event: MouseEvent) => event.stopPropagation()

const inputAccept = [...Object.keys(ACCEPTED), ...Object.values(ACCEPTED).flat()].join(',')
