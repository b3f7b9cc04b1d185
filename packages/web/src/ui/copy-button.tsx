import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copyText } from '../lib/browser/copy-text.ts'

interface CopyButtonProps {
  text: string
  /** 'Copiar senha'. */
  label: string
  /** 'Senha copiada'. */
  done: string
  size?: 'xs' | 'sm'
}

const RESULT_MS = 3_000

/** Copies a text and confirms it for three seconds, visibly and to screen readers. */
export const CopyButton = ({ text, label, done, size = 'xs' }: CopyButtonProps) => {
  const [result, setResult] = useState<string>()
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(undefined), RESULT_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = () =>
    copyText(text).then(
      () => setResult(done),
      () => setResult('Não foi possível copiar: selecione o texto'),
    )
  const Mark = result === done ? IconCheck : IconCopy
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<Mark size={15} aria-hidden />}
        onClick={() => void copy()}
      >
        {result ?? label}
      </Button>
      <VisuallyHidden role="status">{result}</VisuallyHidden>
    </>
  )
}
