const labels = new Set(
  (
    'number no nr num invoice ref reference room page chapter flight gate seat floor apartment suite platform version section article ' +
    'nummer rechnung zimmer seite kapitel flug gleis sitz etage numéro facture chambre vol étage chapitre siège quai ' +
    'número numero factura habitación página vuelo piso capítulo asiento fattura camera pagina volo capitolo ' +
    'factuur kamer vlucht hoofdstuk fatura quarto voo capítulo assento номер счёт страница рейс комната глава'
  ).split(' '),
)

/** True if the words before a whole number say that it only names a thing: `invoice 2217`, `Flug LH 450`. */
export function endsInLabel(before: string): boolean {
  const word = /(\p{L}[\p{L}\p{M}]*)\.?[ \u00a0](?:[A-Z]{1,3}[ \u00a0])?$/u.exec(before)?.[1]
  return word !== undefined && labels.has(word.toLowerCase())
}
