// Masks properties of every record of a JSON array with gjson and sjson.
//
// Usage: gjson PAYLOAD PROPERTY...
//
// Each line on standard input is a number: how many times to do the work. Each answer is a line with the nanoseconds that
// this took. A line "answer" is answered with the masked payload, in one line.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

func main() {
	payload, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	properties := os.Args[2:]
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if lines.Text() == "answer" {
			fmt.Printf("%s\n", mask(payload, properties))
			continue
		}
		times, err := strconv.Atoi(lines.Text())
		if err != nil {
			panic(err)
		}
		fmt.Println(measure(payload, properties, times).Nanoseconds())
	}
}

func measure(payload []byte, properties []string, times int) time.Duration {
	start := time.Now()
	for range times {
		mask(payload, properties)
	}
	return time.Since(start)
}

// Record by record: setting a property in the whole payload would copy all of it for each.
func mask(payload []byte, properties []string) []byte {
	answer := make([]byte, 0, len(payload))
	answer = append(answer, '[')
	gjson.ParseBytes(payload).ForEach(func(_, record gjson.Result) bool {
		if len(answer) > 1 {
			answer = append(answer, ',')
		}
		answer = append(answer, maskRecord([]byte(record.Raw), properties)...)
		return true
	})
	return append(answer, ']')
}

func maskRecord(record []byte, properties []string) []byte {
	for _, property := range properties {
		value := gjson.GetBytes(record, property)
		if !value.Exists() {
			continue
		}
		masked := "null"
		if value.Type == gjson.String {
			masked = `"***"`
		}
		changed, err := sjson.SetRawBytes(record, property, []byte(masked))
		if err != nil {
			panic(err)
		}
		record = changed
	}
	return record
}
