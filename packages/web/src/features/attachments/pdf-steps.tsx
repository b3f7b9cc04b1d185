import { Button } from '@mantine/core'
import { useStepFocus } from '../../ui/use-step-focus.ts'
import classes from './attachment-viewer.module.css'

interface PdfStepsProps {
  page: number
  pages: number
  onTurn: (page: number) => void
}

/** Buttons for the previous and next page of a PDF, and the page number. */
export const PdfSteps = ({ page, pages, onTurn }: PdfStepsProps) => {
  const { back, on, press } = useStepFocus()
  const turn = (button: HTMLButtonElement, next: number) => {
    press(button)
    onTurn(next)
  }
  return (
    <nav aria-label="Páginas do PDF" className={classes.steps}>
      <Button
        ref={back}
        variant="default"
        size="sm"
        aria-label="Página anterior"
        disabled={page <= 1}
        onClick={(event) => turn(event.currentTarget, page - 1)}
      >
        Anterior
      </Button>
      <span role="status" className={classes.pageNumber}>
        Página {page} de {pages}
      </span>
      <Button
        ref={on}
        variant="default"
        size="sm"
        aria-label="Próxima página"
        disabled={page >= pages}
        onClick={(event) => turn(event.currentTarget, page + 1)}
      >
        Próxima
      </Button>
    </nav>
  )
}
