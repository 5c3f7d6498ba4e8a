import { Box, GlobalStyles, useTheme } from "@mui/material";
import { useEffect, useRef, type CSSProperties } from "react";
import { useTranslate } from "react-admin";
import UPlot from "uplot";
import styles from "uplot/dist/uPlot.min.css";
import type { OverviewQuery } from "../api/generated/graphql";
import { amount, count, startOf } from "../parts/format";

interface Props {
  readonly days: OverviewQuery["salesByDay"];
  /** How many of them are shown; as many before them are compared. */
  readonly shown: number;
}

const HEIGHT = 220;

/** Not seen, but read. */
const HIDDEN: CSSProperties = {
  ...{ width: 1, height: 1, overflow: "hidden" },
  ...{ position: "absolute", clipPath: "inset(50%)", whiteSpace: "nowrap" },
};

/** The sales of each day as columns, and those of as many days before as a line; a table for who does not see it. */
export function SalesPlot({ days, shown }: Props) {
  const translate = useTranslate();
  const { palette } = useTheme();
  const place = useRef<HTMLDivElement>(null);
  const present = days.slice(-shown);
  const former = days.slice(0, -shown).slice(-shown);
  const day = (date: string): string =>
    startOf(date).toLocaleDateString(undefined, { day: "numeric", month: "short" });

  useEffect(() => {
    const dayAt = (index: number): string => (present[index] ? day(present[index].date) : "");
    const element = place.current;
    if (!element) return;
    const axis = { stroke: palette.text.secondary, grid: { stroke: palette.divider, width: 1 } };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        scales: { x: { time: false, range: [-0.6, present.length - 0.4] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            values: (_plot, indices) => indices.map(dayAt),
          },
          { ...axis, size: 70 },
        ],
        series: [
          {
            label: translate("shop.overview.day"),
            value: (_plot, index) => dayAt(index),
          },
          {
            label: translate("shop.overview.sum"),
            fill: palette.primary.main,
            ...(UPlot.paths.bars && { paths: UPlot.paths.bars({ size: [0.7, 40] }) }),
            points: { show: false },
          },
          {
            label: translate("shop.overview.former"),
            stroke: palette.text.secondary,
            dash: [4, 4],
            points: { show: false },
          },
        ],
      },
      [
        present.map((_, index) => index),
        present.map((each) => Number(each.amount)),
        present.map((_, index) => Number(former[index]?.amount ?? 0)),
      ],
      element,
    );
    const fit = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    fit.observe(element);
    return () => {
      fit.disconnect();
      plot.destroy();
    };
  }, [days, palette, translate]);

  return (
    <>
      <GlobalStyles styles={styles} />
      <div ref={place} aria-hidden />
      <Box sx={{ position: "relative" }}>
        <table style={HIDDEN}>
          <caption>{translate("shop.overview.sales")}</caption>
          <thead>
            <tr>
              {["day", "number", "sum", "former"].map((key) => (
                <th key={key} scope="col">
                  {translate(`shop.overview.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {present.map(({ date, orders, amount: sum }, index) => (
              <tr key={date}>
                <th scope="row">{day(date)}</th>
                <td>{count(orders)}</td>
                <td>{amount(sum)}</td>
                <td>{amount(former[index]?.amount ?? "0.00")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Box>
    </>
  );
}
