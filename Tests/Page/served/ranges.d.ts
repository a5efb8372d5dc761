// What the server writes as ranges.js (PageRanges.swift).
export const limits: { name: number; message: number; lanes: number; slots: number };
export function range(address: string): [number, number] | undefined;
export function words(address: string): string[] | undefined;
export function settable(begin: string): string[];
export function bounded(address: string, number: number): number;
