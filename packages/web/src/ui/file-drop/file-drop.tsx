import { Button, type ButtonProps, FileButton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import shared from '../shared.module.css'
import classes from './file-drop.module.css'

interface FileDropProps {
  /** Names the area for screen readers. */
  label: string
  icon: ReactNode
  /** Extensions and media types of the file dialog. */
  accept: string
  button: ButtonProps & { children: ReactNode; 'data-autofocus'?: boolean }
  note: string
  /** Drops are ignored meanwhile. */
  isBusy?: boolean
  onChoose: (file: File) => void
  /** About the chosen file. */
  children?: ReactNode
}

/** An area that takes one file: chosen with a button, or dropped. */
export const FileDrop = ({
  label,
  icon,
  accept,
  button,
  note,
  isBusy = false,
  onChoose,
  children,
}: FileDropProps) => {
  const [isOver, setOver] = useState(false)
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
        const [dropped] = event.dataTransfer.files
        if (dropped && !isBusy) onChoose(dropped)
      }}
    >
      {icon}
      {children}
      <FileButton accept={accept} onChange={(chosen) => chosen && onChoose(chosen)}>
        {(props) => <Button {...props} {...button} loading={isBusy} />}
      </FileButton>
      <span className={shared.note}>{note}</span>
    </section>
  )
}
