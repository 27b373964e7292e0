import { knownPart } from '../known-part.js';
import { asPage, type Page } from '../lists.js';
import type { Exchange } from '../reading.js';
import { type Case, violation } from '../verdict.js';

/** Judges the page that a request with a filter is answered with; what is no page is a violation itself. */
export const judgePage = (exchange: Exchange, judge: (page: Page) => readonly Case[]): readonly Case[] => {
  const page = asPage(exchange);
  return page === null
    ? [violation(exchange.ask, [], '200 with a page', exchange.answer.status)]
    : judge(page);
};

/** The items on a page, as far as the contract knows them. */
export const valuesOf = ({ items }: Page): readonly unknown[] => items.map(({ value }) => knownPart(value));
