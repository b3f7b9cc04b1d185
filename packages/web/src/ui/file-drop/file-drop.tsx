import { Button, type ButtonProps, FileButton } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import shared from '../shared.module.css'
import { type ChosenFile, filesOfDrop, filesOfList } from './dropped-files.ts'
import classes from './file-drop.module.css'

interface FileDropBaseProps {
  /** Names the area for screen readers. */
  label: string
  icon: ReactNode
  /** Extensions and media types of the file dialog. */
  accept: string
  button: ButtonProps & { children: ReactNode; 'data-autofocus'?: boolean }
  note: string
  /** Drops are ignored. */
  isBusy?: boolean
  /** About the chosen file. */
  children?: ReactNode
}

type FileDropProps = FileDropBaseProps &
  (
    | { onChoose: (file: File) => void; onChooseAll?: never; folderButton?: never }
    | {
        onChoose?: never
        /** Takes several files, and folders. */
        onChooseAll: (files: Promise<ChosenFile[]>) => void
        folderButton: string
      }
  )

/** An area that takes a file, or several and folders: chosen with a button, or dropped. */
export const FileDrop = (props: FileDropProps) => {
  const { label, icon, accept, button, note, isBusy = false, onChoose, onChooseAll, children } = props
  const [isOver, setOver] = useState(false)
  const take = (files: File[]) => {
    const [first] = files
    if (!first) return
    if (onChooseAll) onChooseAll(Promise.resolve(filesOfList(files)))
    else onChoose(first)
  }
  return (
    <section
      aria-label={label}
      className={`${shared.stackXs} ${classes.drop}`}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (isBusy) return
        if (onChooseAll) onChooseAll(filesOfDrop(event.dataTransfer))
        else take([...event.dataTransfer.files])
      }}
    >
      {icon}
      {children}
      <div className={`${shared.buttons} ${classes.buttons}`}>
        {onChooseAll ? (
          <FileButton multiple accept={accept} onChange={take}>
            {(open) => <Button {...open} {...button} loading={isBusy} />}
          </FileButton>
        ) : (
          <FileButton accept={accept} onChange={(chosen) => chosen && take([chosen])}>
            {(open) => <Button {...open} {...button} loading={isBusy} />}
          </FileButton>
        )}
        {props.folderButton && <FolderButton label={props.folderButton} isBusy={isBusy} onChoose={take} />}
      </div>
      <span className={shared.note}>{note}</span>
    </section>
  )
}

interface FolderButtonProps {
  label: string
  isBusy: boolean
  onChoose: (files: File[]) => void
}

const FolderButton = ({ label, isBusy, onChoose }: FolderButtonProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button variant="default" disabled={isBusy} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={(node) => {
          input.current = node
          // React has no attribute for it.
          if (node) node.webkitdirectory = true
        }}
        type="file"
        hidden
        aria-hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // The same folder can be chosen again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
